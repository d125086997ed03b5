// Package instrument is for interactive views that are no sheets: a comparison of chips, a collective running round a
// ring. An [Instrument] is data and plain functions; it knows neither the browser nor a page.
//
// How one comes about:
//
//  1. Its Controls say what the reader may set. Each is read as a sheet's input is: what a person types, with units and
//     expressions; a text that can't be read gets its reason beside it, and the last good value stays.
//  2. Its View turns the [State] into [Part]s, each a tree of nodes. A part is built again only when one of the controls
//     that it Uses has changed. The kit (kit.go, table.go, plot.go, chooser.go) has tables that sort, bars, plots,
//     folds, results, buttons, and menus that follow from the state. What takes longer than a frame is its Work.
//  3. [Place] puts it into a page, with what an author sets beforehand; [Placed.Static] prints it whole at build time.
//  4. In the browser app/widget/live mounts the same parts, and brings back what the reader does (view.go, step.go). The
//     state goes into the address, ?chips.dtype=int8#chips, but for documents.
//  5. Copying, the plain page and embedding come by themselves (twin.go, web/embed.js).
//
// A complete one, with a slider, a menu, a stepper, a named result, a table and a drawing:
//
//	func New() *instrument.Instrument {
//		return &instrument.Instrument{
//			ID: "ring", Title: "A ring AllGather", About: "How shards travel round a ring of chips, and what it costs.",
//			Controls: controls, Values: values, View: view, Summary: summary,
//		}
//	}
//
//	func controls() []instrument.Control {
//		return []instrument.Control{
//			{Name: "n", Label: "Chips in the ring", Default: "4", Min: "2", Max: "16", Whole: true},
//			{Name: "size", Label: "The whole array", Default: "64 MiB", Min: "1 KiB", Max: "1 GiB", Log: true},
//			{Name: "link", Label: "Link", Kind: instrument.Menu, Default: "45",
//				Options: []instrument.Option{{ID: "45", Name: "45 GB/s one way"}, {ID: "90", Name: "90 GB/s one way"}}},
//			{Name: "step", Label: "Step", Kind: instrument.Step, Default: "1", Strip: []int{0, 1, 3},
//				Fit:      func(s *instrument.State, c *instrument.Control) { c.Steps = s.Int("n") },
//				StepName: func(s *instrument.State, step int) string { return fmt.Sprint("each chip has ", step+1, " shards") }},
//		}
//	}
//
//	func took(s *instrument.State) quantity.Quantity { // every chip sends n-1 shards over one link
//		n, link := s.Number("n"), map[string]float64{"45": 45e9, "90": 90e9}[s.Text("link")]
//		return quantity.Seconds(s.Number("size") * (n - 1) / n / link).Quantity()
//	}
//
//	func values(s *instrument.State) []instrument.Value {
//		return []instrument.Value{instrument.Of("T", "Time for all steps", took(s))}
//	}
//
//	func summary(s *instrument.State) string { return "It takes " + took(s).String() }
//
//	func view(s *instrument.State) []instrument.Part {
//		return []instrument.Part{
//			{Key: "answer", Uses: "n size link", Build: func() *instrument.Node { return s.Row("T", "(n − 1) shards over one link") }},
//			{Key: "held", Uses: "n step", Steps: true, Build: func() *instrument.Node {
//				t := instrument.Table{Key: "held", Caption: "Who has which shard", Heads: []instrument.Head{{Text: "Chip"}, {Text: "Shards"}}}
//				for chip := range s.Int("n") {
//					t.Rows = append(t.Rows, []instrument.Cell{instrument.Say(fmt.Sprint(chip)), instrument.Say(shards(chip, s.Int("step"), s.Int("n")))})
//				}
//				return s.Table(t)
//			}},
//		}
//	}
//
// To have it in the book: a line in app/widget/instruments, tests (Faults and its own), and in a chapter
//
//	```instrument ring
//	n = 8
//	```
//
// or "```instrument ring some-id" for a second one. Its page has `kind: instrument`. {{ring.T}} is its result in prose,
// /embed/ring/ a page of it alone. Its looks are classes of web/instrument.css, sheet.css, chart.css and figures.css; a
// style sheet of its own is Style. Rules to keep:
//
//   - Names of controls are in lower case and not title, name, theme, state, id, class, style, slot, part, is, lang, dir,
//     hidden, role, nonce, inert: they become attributes when somebody embeds the instrument.
//   - Ids of elements come from s.ID alone. Every table has a caption, every drawing a title and a description.
//   - Whatever is not known says so (Unknown, None); nothing that isn't finite is shown.
//   - The View is called for every state that a reader can reach; [Faults] tries many of them.
package instrument
