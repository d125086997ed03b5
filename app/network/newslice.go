package network

import (
	"slices"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// axisNames are what sheets and drawings call the axes.
var axisNames = [...]string{"X", "Y", "Z"}

func newSlice(chip *hardware.Accelerator, shape []int) (Slice, error) {
	rule, ok := RuleFor(chip)
	if !ok {
		return Slice{}, phrase.Fault{
			What:   phrase.New("network.no-torus", "chip", chip.Name),
			Remedy: phrase.New("network.slices-of-tpus"),
		}
	}
	if len(shape) != rule.Dims {
		return Slice{}, phrase.Fault{
			What:   phrase.New("network.other-axes", "chip", chip.Name, "n", rule.Dims, "given", len(shape)),
			Remedy: rule.offer(pod(chip)),
		}
	}
	if slices.Min(shape) < 1 || !rule.legal(shape, pod(chip)) {
		return Slice{}, phrase.Fault{
			What:   phrase.New("network.no-slice", "chip", chip.Name, "shape", shapeText(shape)),
			Remedy: rule.offer(pod(chip)),
		}
	}
	link, err := chip.Get("ici_link_bandwidth")
	if err != nil {
		return Slice{}, err
	}
	s := Slice{Chip: chip, Torus: cut(rule, shape, q.Bandwidth(link.Value.Value))}
	s.Hosts, s.Cores, s.Note = hosts(chip, s.Size()), cores(chip)*s.Size(), remark(chip, rule, s.Size())
	return s, nil
}

// cut is the torus of a legal shape.
func cut(rule Rule, shape []int, link q.Bandwidth) Torus {
	var t Torus
	for i, wrap := range rule.wraps(shape) {
		t.Axes = append(t.Axes, Axis{Name: axisNames[i], Size: shape[i], Wrap: wrap, OneWay: link})
	}
	return t
}

// pod is the number of chips of the largest slice.
func pod(chip *hardware.Accelerator) int { return whole(chip, "pod_chips") }

// hosts is the number of machines for so many chips, 0 if the catalog does not say. A slice smaller than a machine has
// a part of one to itself.
func hosts(chip *hardware.Accelerator, chips int) int {
	if per := whole(chip, "host_chips"); per > 0 {
		return (chips + per - 1) / per
	}
	return 0
}

func cores(chip *hardware.Accelerator) int { return whole(chip, "cores") }

// whole is a constant that counts, 0 if the catalog lacks it.
func whole(chip *hardware.Accelerator, field string) int {
	c, err := chip.Get(field)
	if err != nil {
		return 0
	}
	return int(c.Value.Value)
}

// remark is what a reader should know of a slice of that many chips; nil if nothing.
func remark(chip *hardware.Accelerator, rule Rule, chips int) *phrase.Phrase {
	if job := whole(chip, "job_chips"); job > 0 && chips > job {
		return phrase.New("network.job-limit", "most", job)
	}
	if rule.Cubes && chips < cube*cube*cube {
		return phrase.New("network.below-cube")
	}
	return nil
}
