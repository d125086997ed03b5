// Package config reads a model's config.json, as Hugging Face repositories have it, into a model.Model, and accounts
// for every field: what it set, why it doesn't count, what was assumed in its place, what puts the counts in doubt.
//
// It works in these steps:
//
//  1. The text is read as JSON (json.go), UTF-8 of at most four megabytes, one object, or else line by line
//     (lines.go). Every value remembers its place. Other formats than config.json are told by their names (format.go);
//     a file that is something else is refused by the name of what it is.
//  2. The object that describes the language model is found: the file itself, or text_config and its like within it.
//     Its model_type, or else its architecture, names the family (import.go). What is no decoder of attention and MLPs
//     is refused.
//  3. Each part of the model asks for its roles (build.go, layers.go): a role is looked up by its names in files, then
//     in the family's defaults, then in what holds in general (lookup.go).
//  4. What stands beside the language model is counted apart (apart.go). The fields that nobody asked for
//     are explained (account.go), and the model is asked whether it is one.
//
// Everything that is known of files is in tables: fields.tsv has the roles, families.tsv how families differ,
// formats.tsv the names of other formats, encoders.tsv what encoders come to, foreign.tsv and begins.tsv what files are
// otherwise, doubts.tsv the fields that say what is not counted, ignored.tsv those that change nothing, refused.tsv the
// types that are no such models. A new family is some lines of families.tsv and a sample in testdata. Defaults are
// those of the configuration classes of the transformers library, which the notes name.
//
// A file is not trusted. Numbers are whole and within a range, or an error names the field, its place and the range.
// Nothing from the file is repeated at length or with characters that don't print; whoever shows it on a page escapes
// it. Reading takes time in proportion to the text.
//
// Why a reader of its own: encoding/json is not in the browser's program. The small parser github.com/valyala/fastjson
// (1.6.10) gives no places, neither with errors nor with values, takes 1..2e++ and 01 for numbers, and keeps the first
// of two fields of one name where Python keeps the later. It would add 14 KB (gzip -9) to the browser's program; this
// reader adds 10, the whole package 44.
package config
