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
		{"weights", m.Weights}, {"gradients", m.Grads}, {"master weights", m.Master}, {"moments", m.Moments},
		{"activations", m.Activations},
		{"logits", m.Logits}, {"gathered weights", m.Gathered}, {"fragments", m.Fragments}, {"residual", m.Residual},
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
		{"matmuls", m * t.Matmul}, {"attention", m * t.Attention}, {"elementwise kernels", m * t.Elementwise},
		{"logits", m * t.Logits},
		{"waiting for the host", m * t.Host}, {"tensor parallelism", m * t.TP}, {"context parallelism", m * t.CP},
		{"expert parallelism", m * t.EP}, {"gathers of weights", m * t.Gather}, {"passing on between stages", m * t.PP},
		{"waiting among many nodes", m * t.Wait}, {"bubble", t.Bubble}, {"gradients between replicas", t.DP},
		{"optimizer", t.Optimizer},
		{"rest", t.Rest}, {"allocator near the limit", t.Retry},
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
