package book

import (
	"strings"
	"testing"
	"time"
)

// TestHostile checks that nesting and repetition take bounded time.
func TestHostile(t *testing.T) {
	for name, body := range map[string]string{
		"brackets":   strings.Repeat("[", 20000),
		"links":      strings.Repeat("[a](", 2000),
		"quotes":     strings.Repeat(">", 2000) + " x",
		"emphasis":   strings.Repeat("*a_", 2000),
		"directives": strings.Repeat(":::note\n", 500),
		"dollars":    strings.Repeat("$a ", 2000),
		"braces":     strings.Repeat("{{", 5000),
		"notes":      strings.Repeat("[^a]", 1500) + "\n\n[^a]: x",
		"lists":      strings.Repeat("- ", 500) + "x",
		"headings":   strings.Repeat("## same\n", 800),
		"cells": "|" + strings.Repeat("a|", 2000) + "\n|" + strings.Repeat("-|", 2000) + "\n" +
			strings.Repeat("|b", 2000),
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			b, _ := Load(folder(t, map[string][]byte{"x.md": []byte("---\ntitle: X\n---\n\n" + body)}), testConfig())
			wellFormed(t, b.Page("x").HTML)
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("took %v", took)
			} else {
				t.Log(took)
			}
		})
	}
}
