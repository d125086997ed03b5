package measured

import (
	"maps"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/spell"
)

// seen is the names that were asked for.
type seen map[string]bool

// watch is the name under which a set-up keeps what was asked for. No row has a value of its type.
const watch = "\x00"

// watched is a copy of s that remembers which of its values are asked for; its parts do too.
func (s Setup) watched() Setup {
	c := maps.Clone(s)
	if c == nil {
		c = Setup{}
	}
	c[watch] = seen{}
	for _, part := range []string{"prefill", "decode"} {
		if sub, is := s[part].(map[string]any); is {
			c[part] = map[string]any(Setup(sub).watched())
		}
	}
	return c
}

// read remembers that some values were asked for.
func (s Setup) read(names []string) {
	if seen, is := s[watch].(seen); is {
		for _, name := range names {
			seen[name] = true
		}
	}
}

// object is a value that holds others; nil if there is none.
func (s Setup) object(name string) Setup {
	_, value, _ := s.lookup([]string{name})
	sub, _ := value.(map[string]any)
	return sub
}

// repeated are values that say again what the plan and the precision say.
const repeated = " n_devices gpus chips nodes layout moe_quant n_requests id notes software date source section " +
	"interconnect vocab_note params_label plan "

// mostUnread is how many names are told.
const mostUnread = 8

// unread are the names of values that nobody asked for though they say something.
func (s Setup) unread() []string {
	known, is := s[watch].(seen)
	if !is {
		return nil
	}
	var names []string
	for name, value := range s {
		if sub, is := value.(map[string]any); is && known[name] {
			for _, inner := range Setup(sub).unread() {
				names = append(names, name+"."+inner)
			}
		}
		if name != watch && !known[name] && s.Has(name) && !strings.Contains(repeated, " "+name+" ") {
			names = append(names, spell.Clip(name, 32))
		}
	}
	slices.Sort(names)
	return names[:min(len(names), mostUnread)]
}
