package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
)

// TestLazyEnv holds that each sheet of the book comes out alike, or is refused alike, whether the environment was
// whole before or became so as far as the sheet needed it.
func TestLazyEnv(t *testing.T) {
	whole, started := widget.Env(), 0
	files, err := filepath.Glob("../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range sources(file, data) {
			env := widget.LazyEnv()
			if got, want := exported(src, env), exported(src, whole); got != want {
				t.Errorf("%s#%s: got\n%s\nwant\n%s", file, src.id, got, want)
			}
			if len(env.Rest) > 0 {
				started++
			}
		}
	}
	if started < 100 {
		t.Errorf("a part of the environment was left out for %d sheets only", started)
	}
}

// exported is a sheet with its results as text, or why it has none.
func exported(src source, env *value.Env) string {
	s, errs := src.compile(env)
	if s == nil {
		return fmt.Sprint(errs)
	}
	return widget.NewLive(s).Export("text")
}

// TestLazyEnvMenus holds that a menu offers the same before and after: record types that are like one of those that
// are there from the start are there too.
func TestLazyEnvMenus(t *testing.T) {
	env := widget.LazyEnv()
	n := len(env.RecordTypes)
	env.Whole()
	for _, rt := range env.RecordTypes[n:] {
		if rt.Like != nil {
			t.Errorf("%s is like %s and comes later: menus would lack it", rt.Name, rt.Like.Name)
		}
	}
}

// TestLazyNames holds that a name of one sort that is asked for as another ends: a figure is no function, and a law is
// no figure.
func TestLazyNames(t *testing.T) {
	env := widget.LazyEnv()
	if f := env.Func("matmul_roofline"); f != nil {
		t.Errorf("a figure is the function %v", f)
	}
	env = widget.LazyEnv()
	if f := env.Figure("matmul_flops"); f != nil {
		t.Errorf("a law is the figure %v", f)
	}
	if f := widget.LazyEnv().Func("nothing_of_that_name"); f != nil {
		t.Errorf("%v", f)
	}
}

// TestLateValues holds that parts of an environment have just the values that they say they have.
func TestLateValues(t *testing.T) {
	env, said := widget.LazyEnv(), 0
	for i := 0; len(env.Rest) > 0; i++ {
		part, before := env.Rest[0], maps.Clone(env.Values)
		part.Add()
		env.Rest = env.Rest[1:]
		var late []string
		for name := range env.Values {
			if _, ok := before[name]; !ok {
				late = append(late, name)
			}
		}
		if part.Values == nil {
			continue
		}
		said++
		if slices.Sort(late); !slices.Equal(late, part.Values) {
			t.Errorf("part %d has %v, it says %v", i, late, part.Values)
		}
	}
	if said < 4 {
		t.Errorf("only %d parts say what values they have", said)
	}
}
