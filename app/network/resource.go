package network

import "github.com/scalebook/scalebook/app/phrase"

// Resource is what a term of a collective occupies, or what the time of one is spent on.
type Resource struct {
	Kind ResourceKind
	Name string // of the axis, of several axes, or of the level
}

// ResourceKind is a kind of resource.
type ResourceKind uint8

// The kinds of resources.
const (
	Nothing      ResourceKind = iota
	Latency                   // of the hops
	AxisLinks                 // along one axis
	AxesLinks                 // along several
	CornerLinks               // of a chip in the corner of a torus
	DeviceEgress              // into a switch
	LevelEgress               // of the units under a level of a tree
	SliceEgress               // into the data-centre network
)

// In names the resource for a reader: "axis X", "level spine".
func (r Resource) In(l phrase.Phrases) string {
	return l.Say([...]string{"network.nothing", "network.latency", "network.axis", "network.axes", "network.corner",
		"network.egress", "network.level", "network.dcn"}[r.Kind], "name", r.Name)
}

// String names the resource in English.
func (r Resource) String() string { return r.In(phrase.Phrases{}) }
