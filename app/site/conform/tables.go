package conform

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// tables are the parts of the HTML standard that the check knows, as far as the book's pages make use of it: what isn't
// named here is a fault, so that whoever uses more of HTML has to look it up first.
type tables struct {
	void, phrasing, block, interactive, global, roles, aria map[string]bool
	attributes                                              map[string]map[string]bool
	children                                                map[string]map[string]bool // the only elements that may stand directly in one
	references                                              map[string]bool            // attributes that name ids
}

func standard() *tables {
	t := &tables{
		void: set("area base br col embed hr img input link meta source track wbr"),
		// Elements that hold only words and what stands among words.
		phrasing: set("p h1 h2 h3 h4 h5 h6 span em strong code kbd abbr cite sup sub small data output label button legend pre b i s q var samp dfn time mark"),
		block: set("address article aside blockquote details dialog dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li " +
			"main nav ol p pre search section table ul"),
		interactive: set("a button details iframe input label select textarea"),
		global:      set("id class hidden lang dir title role tabindex translate spellcheck autocapitalize inputmode inert autofocus is slot popover"),
		roles: set("alert button combobox dialog doc-abstract doc-backlink doc-biblioentry doc-bibliography doc-biblioref doc-endnotes doc-noteref " +
			"group img list listbox listitem log navigation none note option presentation region row search slider status switch tab tablist tabpanel table textbox toolbar"),
		aria: set("activedescendant atomic autocomplete busy checked colcount colindex controls current describedby description disabled expanded haspopup hidden " +
			"invalid label labelledby level live modal multiline orientation owns pressed readonly relevant required roledescription rowcount rowindex " +
			"selected valuemax valuemin valuenow valuetext"),
		references: set("for aria-labelledby aria-describedby aria-controls aria-owns aria-activedescendant list headers"),
		attributes: map[string]map[string]bool{},
		children:   map[string]map[string]bool{},
	}
	for _, line := range strings.Split(strings.TrimSpace(attributeTable), "\n") {
		name, words, _ := strings.Cut(line, ":")
		t.attributes[name] = set(words)
	}
	for _, line := range strings.Split(strings.TrimSpace(childTable), "\n") {
		name, words, _ := strings.Cut(line, ":")
		for _, n := range strings.Fields(name) {
			t.children[n] = set(words)
		}
	}
	return t
}

// attributeTable has a line for each element that the book uses, with the attributes that it may have besides the global
// ones, data-* and aria-*.
const attributeTable = `
html:
head:
body:
title:
base: href
meta: charset name content http-equiv property media
link: rel href type sizes media as crossorigin title hreflang
script: src type defer async
noscript:
template: shadowrootmode
header:
main:
nav:
footer:
aside:
section:
article:
search:
div:
p:
h1:
h2:
h3:
h4:
h5:
h6:
hr:
pre:
blockquote: cite
ol: start type reversed
ul:
li: value
dl:
dt:
dd:
figure:
figcaption:
a: href rel target download hreflang type
em:
strong:
small:
s:
cite:
q: cite
dfn:
abbr:
data: value
time: datetime
code:
var:
samp:
kbd:
sub:
sup:
i:
b:
mark:
span:
br:
wbr:
img: src alt width height loading decoding
iframe: src width height loading title allow sandbox
table:
caption:
thead:
tbody:
tfoot:
colgroup: span
col: span
tr:
th: scope colspan rowspan abbr headers
td: colspan rowspan headers
form: action method autocomplete novalidate
label: for
input: type name value checked disabled readonly required placeholder size maxlength minlength min max step list autocomplete pattern accept
button: type name value disabled
select: name disabled required size multiple autocomplete
datalist:
optgroup: label disabled
option: value selected disabled label
textarea: name rows cols wrap disabled readonly required placeholder maxlength autocomplete
output: for name
progress: value max
meter: value min max low high optimum
fieldset: disabled name
legend:
details: open name
summary:
`

// childTable has the elements that hold nothing but certain elements.
const childTable = `
ul ol: li script template
dl: dt dd div script template
table: caption colgroup thead tbody tfoot tr script template
thead tbody tfoot: tr script template
tr: th td script template
colgroup: col template
select: option optgroup hr
optgroup: option
`
