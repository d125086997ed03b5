package value

// Whole sees to it that an environment has all that it will ever have, and says whether something was added.
func (env *Env) Whole() bool {
	rest := env.Rest
	if rest == nil {
		return false
	}
	env.Rest = nil
	rest()
	return true
}

// Value is what a name stands for.
func (env *Env) Value(name string) (Value, bool) {
	v, ok := env.Values[name]
	if !ok && env.Whole() {
		v, ok = env.Values[name]
	}
	return v, ok
}

// Func is the function of that name, or nil.
func (env *Env) Func(name string) *Func {
	if f := env.Funcs[name]; f != nil || !env.Whole() {
		return f
	}
	return env.Funcs[name]
}

// Method is the method of that name that records of a kin have, or nil.
func (env *Env) Method(kin *Kin, name string) *Func {
	if f := kin.Method(name); f != nil || !env.Whole() {
		return f
	}
	return kin.Method(name)
}

// Figure is the drawing of that name, or nil.
func (env *Env) Figure(name string) *Figure {
	if f := env.Figures[name]; f != nil || !env.Whole() {
		return f
	}
	return env.Figures[name]
}
