// Package rows is the measurements that constants are fitted to and held against, as tables. Each begins with its
// sources.
package rows

import _ "embed"

// The measurements of serving.
var (
	// Closed is time to the first token and time a token of engines on GPUs, so many requests always under way.
	//
	//go:embed serving.tsv
	Closed string

	// Open is the same where requests come at a rate of their own.
	//
	//go:embed open.tsv
	Open string

	// Offline is tokens a second where all requests are there from the start.
	//
	//go:embed offline.tsv
	Offline string

	// AMD is closed loops and lists on GPUs of AMD's. What is AMD's was set with them in view: no interval is made of
	// them.
	//
	//go:embed amd.tsv
	AMD string

	// Others is closed loops of other sources, models, chips and releases: no constant is fitted to them.
	//
	//go:embed others.tsv
	Others string

	// Reported is closed loops and lists on older releases, TPUs and Gaudi: gathered last, and predicted before any
	// change. Neither constants nor intervals are made of them.
	//
	//go:embed reported.tsv
	Reported string

	// AIConfigurator is what that tool predicts for rows of Closed (app/measured/fit/rival).
	//
	//go:embed aiconfigurator.tsv
	AIConfigurator string
)

// Serving is all tables of serving.
func Serving() []string { return []string{Closed, Open, Offline} }
