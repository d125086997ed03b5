package config

import "testing"

// Reading a real file takes well under a millisecond, also in a browser.
func BenchmarkRead(b *testing.B) {
	for _, s := range samples(b) {
		switch s.file {
		case "llama3-70b", "gpt-oss-120b", "kimi-k2.5":
			b.Run(s.file, func(b *testing.B) {
				for b.Loop() {
					if _, err := Read(s.text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
