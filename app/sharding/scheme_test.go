package sharding

import "testing"

// TestSchemesMoveWhatTheySay: an array that a message brings changed its shards or its sums, and the message names
// the axis over which it did.
func TestSchemesMoveWhatTheySay(t *testing.T) {
	for _, id := range []string{"dp", "fsdp", "tp", "mixed", "ep", "cp"} {
		s, err := ReadScheme(id)
		if err != nil || len(s.Steps) < 4 || s.Mesh.Chips() != 4 {
			t.Fatalf("%s: %v, %v", id, s, err)
		}
		held := map[string]SchemeArray{}
		for i, step := range s.Steps {
			for _, a := range step.Arrays {
				before, known := held[a.Name]
				if i > 0 && known && before.Text == a.Text && a.Message != "" && a.Name[0] != 'd' {
					t.Errorf("%s, step %d: %s was there already", id, i+1, a.Text)
				}
				held[a.Name] = a
			}
		}
	}
	if _, err := ReadScheme("none"); err == nil {
		t.Error("there is a scheme none")
	}
}

// TestSchemesGatherOverTheAxisThatIsGone: an array after an all-gather or an all-reduce over an axis names it no
// longer; after a reduce-scatter it does.
func TestSchemesGatherOverTheAxisThatIsGone(t *testing.T) {
	for _, id := range []string{"dp", "fsdp", "tp", "mixed", "ep", "cp"} {
		s, _ := ReadScheme(id)
		for _, step := range s.Steps {
			for _, a := range step.Arrays {
				if a.Message == "" {
					continue
				}
				axis := s.Mesh.Find(a.Message[len(a.Message)-1:])
				scattered := a.Message[0] == 'r' || a.Message[:8] == "all-to-a"
				if axis < 0 || a.uses(axis) != scattered {
					t.Errorf("%s: %s after an %s", id, a.Text, a.Message)
				}
			}
		}
	}
}
