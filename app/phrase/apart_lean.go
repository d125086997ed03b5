//go:build lean

package phrase

// englishApart is empty: pages that say more load the other program.
const englishApart = ""
