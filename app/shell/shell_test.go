package shell_test

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/shell"
)

func TestExpand(t *testing.T) {
	set := map[string]string{"DENSE": "3", "MOE": "58", "WIDE": "2048", "NAME": "a b", "FLAGS": "--x 1",
		"BIG": "1073741824"}
	for text, want := range map[string]string{
		"":                              "",
		"plain":                         "plain",
		"$DENSE":                        "3",
		"${DENSE}":                      "3",
		"$DENSE,${MOE}":                 "3,58",
		"[0]*$DENSE+[1]*$MOE":           "[0]*3+[1]*58",
		"${LAYERS:-61}":                 "61",
		"${LAYERS:-\"61\"}":             "61",
		"${LAYERS:-${DENSE}}":           "3",
		"${LAYERS:-${OTHER:-7}} more":   "7 more",
		"${DENSE:-61}":                  "3",
		"${LAYERS-61}":                  "61",
		"${LAYERS:=61}":                 "61",
		"${LAYERS=61}":                  "61",
		"${FLAG:---x 2}":                "--x 2",
		"${DENSE:?is to be set}":        "3",
		"${LAYERS:?is to be set}":       "${LAYERS:?is to be set}",
		"${NAME%% *}":                   "${NAME%% *}",
		"${!NAME}":                      "${!NAME}",
		"$((DENSE+MOE))":                "61",
		"$((DENSE + MOE))":              "61",
		"$(($DENSE * ${WIDE}))":         "6144",
		"$((${DENSE} * (MOE - 2) / 2))": "84",
		"$(( 2 + 3 * 4 ))":              "14",
		"$((10 - 3 - 2))":               "5",
		"$((2 ** 13 / 4))":              "2048",
		"$((2**2**3 * 3))":              "768",
		"$((2 ** 40))":                  "$((2 ** 40))",
		"$((3 ** 0))":                   "1",
		"$((100 / 7 / 2))":              "7",
		"${FLAGS[@]} ${NAME}":           "--x 1 a b",
		"$((128 / (DENSE + 1)))":        "32",
		"$((128 / (2 * (DENSE + 1)))))": "16)",
		"$(expr 16 / $DENSE)":           "5",
		"$(expr $MOE \\* 2 + 1) more":   "117 more",
		"$(expr 16 / $LAYERS)":          "$(expr 16 / $LAYERS)",
		"$(expr length abc)":            "$(expr length abc)",
		"$(expr 16":                     "$(expr 16",
		"$LAYERS":                       "$LAYERS",
		"${LAYERS}":                     "${LAYERS}",
		"$((DENSE + LAYERS))":           "$((DENSE + LAYERS))",
		"$((DENSE / 0))":                "$((DENSE / 0))",
		"$((DENSE DENSE))":              "$((DENSE DENSE))",
		"$((NAME))":                     "$((NAME))",
		"$((1 << 4))":                   "$((1 << 4))",
		"$((99999 * 99999))":            "$((99999 * 99999))",
		"$(((BIG+BIG+BIG+BIG) * (BIG+BIG+BIG+BIG)))": "$(((BIG+BIG+BIG+BIG) * (BIG+BIG+BIG+BIG)))", // 2^64
		"$((2147483647 * 2))":                        "$((2147483647 * 2))",
		"$(date)":                                    "$(date)",
		"${OPEN":                                     "${OPEN",
		"$((OPEN":                                    "$((OPEN",
		"a$":                                         "a$",
		"$$":                                         "$$",
		"costs $5":                                   "costs $5",
		"(.*\\.)?(q|v)_proj$":                        "(.*\\.)?(q|v)_proj$",
		"${SLURM_NNODES:-1} of ${DENSE:-2}":          "1 of 3",
	} {
		if got := shell.Expand(text, func(name string) string { return set[name] }); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// What is written to be long stays as it is, and takes no long time.
func TestExpandWhatIsLong(t *testing.T) {
	none := func(string) string { return "" }
	for _, part := range []string{"${", "$((", "$((1+", "${a:-", "("} {
		text := "$" + strings.Repeat(part, 200_000)
		if got := shell.Expand(text, none); got != text {
			t.Errorf("%q becomes %d bytes, of %d", part, len(got), len(text))
		}
	}
}

// Lines each of which names the one before it ten times don't grow tenfold each.
func TestExpandWhatGrows(t *testing.T) {
	value := "word "
	for range 20 {
		last := value
		value = shell.Expand(strings.Repeat("$A", 10), func(string) string { return last })
	}
	if len(value) > 10_000 {
		t.Errorf("it has %d bytes", len(value))
	}
}

// Lines of branches that the text alone tells are not taken are left out; where it doesn't tell, both stay.
func TestTaken(t *testing.T) {
	set := map[string]string{"TP": "4", "MODEL": "org/x-fp8", "ARG": "$1", "NO": "false"}
	lookup := func(name string) string { return set[name] }
	for _, c := range []struct{ text, want string }{
		{"if [ -n \"$FP8\" ]; then\n  a\nfi\nb\n", "b"},
		{"if [[ -z \"${FP8:-}\" ]]; then\n  a\nelse\n  c\nfi\nb\n", "a b"},
		{"if [ $TP -gt 2 ]; then\n  a\nelif [ $TP -gt 1 ]; then\n  c\nelse\n  d\nfi\n", "a"},
		{"if [ $TP -gt 8 ]; then\n  a\nelif [ $TP == 4 ]; then\n  c\nelse\n  d\nfi\n", "c"},
		{"if [[ $MODEL == *fp8* ]]; then\n  a\nelse\n  c\nfi\n", "a"},
		{"if [[ $MODEL != *fp8* ]]; then\n  a\nelse\n  c\nfi\n", "c"},
		{"if [ ! -n \"$FP8\" ]; then\n  a\nfi\n", "a"},
		{"if [ -f x ]; then\n  a\nelse\n  c\nfi\n", "a c"},
		{"if [ \"$ARG\" = y ]; then\n  a\nelse\n  c\nfi\n", "a c"},
		{"if [ $# -lt 1 ]; then\n  a\nfi\n", "a"},
		{"if [ $(id -u) = 0 ]; then\n  a\nfi\n", "a"},
		{"if [ -n \"$FP8\" ]; then\n  if [ -f x ]; then\n    a\n  fi\n  c\nfi\nb\n", "b"},
		{"[[ -n \"$FP8\" ]] && a\n[ \"$TP\" = 4 ] && b\n", "b"},
		{"if [ -n \"$FP8\" ]; then a; fi\nb\n", "b"},
		{"if [ -n \"$FP8\" ]; then a; else c; fi\nb\n", "c b"},
		{"if [ -f x ]; then a; elif [ $TP = 4 ]; then c; else d; fi\nb\n", "a c b"},
		{"[ -n \"$FP8\" ] || a\n[ $TP = 4 ] || c\nb\n", "a b"},
		{"case $TP in 1) a;; 4) c;; *) d;; esac\nb\n", "c b"},
		{"if (( TP > 2 )); then\n  a\nelse\n  c\nfi\n", "a"},
		{"if [ $TP = 4 -a $NO = true ]; then\n  a\nelse\n  c\nfi\n", "c"},
		{"[ $TP = 4 ] && [[ $NO = true ]] && a\n[ $TP = 4 ] && [ $NO = false ] && b\n", "b"},
		{"if $NO; then\n  a\nelse\n  c\nfi\n", "c"},
		{"if ! $NO; then\n  a\nelse\n  c\nfi\n", "a"},
		{"if nvidia-smi; then\n  a\nelse\n  c\nfi\n", "a c"}, // a command
		{"if [ $TP = 8 ] || [ $TP = 4 ]; then\n  a\nelse\n  c\nfi\n", "a"},
		{"if [ $TP = 8 ]; then\n  case $TP in\n  4) a ;;\n  esac\nfi\nb\n", "b"},
		{"if [[ $MODEL == fp8* ]]; then\n  a\nelse\n  c\nfi\n", "c"},
		{"if [[ $MODEL == org/*-\"fp8\" ]]; then\n  a\nelse\n  c\nfi\n", "a"},
		{"case $TP in\n  1) a ;;\n  2|4) b\n    ;;\n  *)\n    c ;;\nesac\nd\n", "b d"},
		{"case \"$MODEL\" in\n  *int4*)\n    a\n    ;;\n  *)\n    c\n    ;;\nesac\n", "c"},
		{"case \"${1:-x}\" in\n  x) a ;;\n  *) b ;;\nesac\n", "a"},
		{"case \"$1\" in\n  x) a ;;\n  *) b ;;\nesac\nd\n", "a b d"},
		{"for s in x y; do\n  case $s in\n    x) a ;;\n    *) b ;;\n  esac\ndone\n", "a b"},
		{"while getopts \"m:t\" o; do\n  case $o in\n    m) a ;;\n    t) b ;;\n  esac\ndone\n", "a b"},
		{"case $TP in\n  [1-4]) a ;;\n  *) b ;;\nesac\n", "a b"},
		{"case $FP8 in\n  '') if [ $TP = 4 ]; then\n    a\n    fi ;;\n  *) b ;;\nesac\nd\n", "a d"},
	} {
		var left []string
		for word := range strings.FieldsSeq(strings.ReplaceAll(shell.Taken(c.text, lookup), ";", " ")) {
			if len(word) == 1 && strings.Contains("abcd", word) {
				left = append(left, word)
			}
		}
		if got := strings.Join(left, " "); got != c.want {
			t.Errorf("%q leaves %q, not %q", c.text, got, c.want)
		}
	}
}

// Whatever a script is, what is left of it is no longer than it, but for the ends of lines.
func FuzzTaken(f *testing.F) {
	for _, text := range []string{"if [ $A = 1 ]; then a; else b; fi\n", "case $A in\n 1|2) a;; *) b ;;\nesac\n",
		";;;\nfi\nesac",
		"[ -n \"$A\" ] || [ $B -gt 1 ] && c\n", "if (( A > 1 )); then case $B in x) if true; then c; fi;; esac; fi",
		"elif\nelse\nif"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		left := shell.Taken(text, func(name string) string { return strings.Repeat("1", len(name)%3) })
		if most := 2*len(text) + 2*strings.Count(text, "\n") + 2; len(left) > most {
			t.Errorf("%q leaves %q", text, left)
		}
	})
}
