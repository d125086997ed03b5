// Package startlog reads what an engine prints when it starts, or the command that starts it, and holds each figure
// against the ledger of [serving.Replica.Account].
//
//  1. [Read] finds the engine, its flags and its figures in a text, whatever else stands there: prefixes of workers,
//     dates, other lines. What lines look like is a table (lines.tsv), and so is what flags are called (flags.tsv).
//  2. [Log.Engine] and the other fields say what is served on what; whoever asks fills in what the text leaves out.
//  3. [Log.Beside] puts our figure beside each of the log's, worked out from the log's figures before it, so that the
//     first that differs names the cause and those after it don't repeat it.
package startlog
