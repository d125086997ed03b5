package training

// Part is a part of a price by its name.
type Part struct {
	Name  string
	Value float64
}

// Parts are all parts of m.
func (m *Memory) Parts() []Part {
	parts := m.parts()
	return parts[:]
}

func (m *Memory) parts() [9]Part {
	return [...]Part{
		{Name: "weights", Value: m.Weights},
		{Name: "gradients", Value: m.Grads},
		{Name: "master weights", Value: m.Master},
		{Name: "moments", Value: m.Moments},
		{Name: "activations", Value: m.Activations},
		{Name: "logits", Value: m.Logits},
		{Name: "gathered weights", Value: m.Gathered},
		{Name: "fragmentation", Value: m.Fragments},
		{Name: "framework overhead", Value: m.Residual},
	}
}

// Largest is the name of the largest part.
func (m *Memory) Largest() string {
	best := Part{}
	for _, p := range m.parts() {
		if p.Value > best.Value {
			best = p
		}
	}
	return best.Name
}

// Part is a part by its name.
func (m *Memory) Part(name string) float64 {
	for _, p := range m.Parts() {
		if p.Name == name {
			return p.Value
		}
	}
	return 0
}

// Parts are all parts of a step; what is done for each micro-batch counts as often as there are.
func (t *Time) Parts() []Part {
	m := t.MicroBatches
	return []Part{
		{Name: "matmuls", Value: m * t.Matmul},
		{Name: "attention", Value: m * t.Attention},
		{Name: "elementwise kernels", Value: m * t.Elementwise},
		{Name: "logits", Value: m * t.Logits},
		{Name: "waiting for the host", Value: m * t.Host},
		{Name: "tensor parallelism", Value: m * t.TP},
		{Name: "context parallelism", Value: m * t.CP},
		{Name: "expert parallelism", Value: m * t.EP},
		{Name: "weight all-gathers", Value: m * t.Gather},
		{Name: "pipeline P2P", Value: m * t.PP},
		{Name: "waiting among many nodes", Value: m * t.Wait},
		{Name: "bubble", Value: t.Bubble},
		{Name: "gradients between replicas", Value: t.DP},
		{Name: "optimizer", Value: t.Optimizer},
		{Name: "rest", Value: t.Rest},
		{Name: "allocator near the limit", Value: t.Retry},
		{Name: "slowest machine", Value: t.Straggle},
	}
}

// Lost is the part of t that takes most more than in another step, and how much.
func (t *Time) Lost(other *Time) (name string, more float64) {
	others := other.Parts()
	for i, p := range t.Parts() {
		if d := p.Value - others[i].Value; d > more {
			name, more = p.Name, d
		}
	}
	return name, more
}
