package site

// Program is the address of the program that brings the page to life; empty if there is none.
func (v view) Program() string { return v.Asset(program) }

// Worker is the address of the worker that helps the page with long documents and long work; empty without a program.
func (v view) Worker() string {
	if v.Program() == "" {
		return ""
	}
	return v.Asset("worker.js")
}
