// Package hardware is the catalog of accelerators: TPUs, GPUs and their like, every constant with its value, unit,
// source, date where it is known, and doubts.
//
// Peak rates are dense, never sparse, and count a multiply and an add as two operations. Bandwidths of links and
// networks are one way unless the field says both ways; capacities are GB or GiB exactly as their source has them.
// Where sources disagree, the constant carries the other readings in Others; From picks one by source, so that a
// problem can be worked with the numbers of the original book:
//
//	w, _ := chip.Get("hbm_bandwidth")   // 819 GB/s, Google
//	book, _ := w.From("book-tpus")      // 810 GB/s, the book's table
//
// The data is accelerators.tsv, a fact a line, and sources.tsv. To add or correct a fact, edit a line: an accelerator's
// lines stand together, first its name and the like, then its constants in the order of Fields; of several lines for
// one field the first is in use and the others are other readings.
package hardware
