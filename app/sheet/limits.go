package sheet

// Limits keep hostile text harmless; no honest sheet comes near them. Each has a message of its own.
const (
	maxTop        = 500       // entries of a list that a table shows
	documentBytes = 256 << 10 // of a document whose author gave no other length
	maxDocument   = 64 << 20  // of any document,
	maxStreamed   = 1 << 30   // and of a file that is put in short piece by piece
	defaultPace   = 1200      // milliseconds that playing rests on a step

	// maxFuel bounds the work of one plot, table or search, evalFuel that of one evaluation, in operations of the program
	// on bare numbers (2 or 3 ns each): solves inside solves multiply, and stop here. In a sheet of 25 lines a solve
	// takes 7,500, and a plot of it 120 times as much for each curve.
	maxFuel   = 4_000_000
	evalFuel  = maxFuel / 2
	sheetFuel = 10 * maxFuel // of all that a sheet shows in one state, which its parts share evenly
	checkFuel = sheetFuel    // of all its expects
	rowFuel   = 2            // what a row counts as, besides its operations
	fitFuel   = 300          // what an input that follows other lines counts as, besides the entries of its menu
	// solveFuel is what a search counts as, besides the rows it looks at; three times as much if it finds nothing.
	solveFuel = 2500
	slowly    = 6 // how much more a row takes that is computed with dimension and label
)
