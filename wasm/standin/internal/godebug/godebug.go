// Package godebug stands in for internal/godebug in the browser's program, where no environment changes a setting.
package godebug

// Setting is a setting that has its default.
type Setting struct{ name string }

// New is the setting with a name.
func New(name string) *Setting { return &Setting{name} }

// Name is the setting's name.
func (s *Setting) Name() string { return s.name }

// Value is nothing: the default.
func (s *Setting) Value() string { return "" }

// IncNonDefault counts nothing.
func (s *Setting) IncNonDefault() {}
