package library
import "testing"
import "github.com/scalebook/scalebook/app/hardware"
func BenchmarkLazy(b *testing.B){ for b.Loop(){ NewLazy() } }
func BenchmarkCat(b *testing.B){ for b.Loop(){ hardware.Catalog() } }
