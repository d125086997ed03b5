// Package content has the pages whose calculators read the files that people bring, so that the command reads them
// without the sources of the book too.
package content

import "embed"

// Pages are these pages as their authors wrote them.
//
//go:embed collectives.md profiling.md startup-log.md
var Pages embed.FS
