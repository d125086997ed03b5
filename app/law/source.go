package law

// Sources of laws.
const (
	Catalog         = "the catalog"
	Counted         = "counted from the definition"
	Played          = "counted on a schedule played step by step"
	AustinRooflines = "Austin et al., How To Scale Your Model (2025), part 1"
	AustinTPUs      = "Austin et al., How To Scale Your Model (2025), part 2"
	AustinSharding  = "Austin et al., How To Scale Your Model (2025), part 3"
	AustinMath      = "Austin et al., How To Scale Your Model (2025), part 4"
	AustinTraining  = "Austin et al., How To Scale Your Model (2025), part 5"
	AustinInference = "Austin et al., How To Scale Your Model (2025), part 7"
	AustinGPUs      = "Austin et al., How To Scale Your Model (2025), part 12"
	NCCL            = "the NCCL tests"
	Thakur          = "Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in " +
		"MPICH (2005)"
	Williams    = "Williams, Waterman and Patterson, Roofline, CACM 52(4) (2009)"
	Pope        = "Pope et al., Efficiently Scaling Transformer Inference (2022)"
	BirthDeath  = "a birth-death chain; Kleinrock, Queueing Systems I (1975), chapter 3"
	Served      = "this book’s serving model; its constants are fitted to measurements, see /measured/"
	PlanPricing = "the pricing of plans in this book; its assumptions are numbered on the page of the planner"
)

// Sources of what only the library offers.
const (
	AustinBook      = "Austin et al., How To Scale Your Model, in its edition of December 2025"
	GooglePages     = "Google’s pages on each TPU"
	RunByCycle      = "run cycle by cycle"
	RunByBlock      = "run block by block"
	CountedBoxes    = "counted box by box"
	CountedOps      = "counted operation by operation"
	AddedEvents     = "added up event by event"
	RecognizedWords = "words that programs print as they are"
	TrainingPlanner = "priced by this book’s planner"
	ServingModel    = "this book’s serving model; its assumptions stand on the planner’s page, its errors at /measured/"
	LocalModel      = "ggml’s block layouts, llama.cpp’s mixes; shares fitted to half of the rows held at /measured/"
	NCCLLaws        = "counted on NCCL’s algorithms; shares as nccl-tests print them, starts fitted, held at /measured/"
	HeldByTests     = "measurements and predictions, held against each other by this book’s tests"
	ServingMeasured = "ai-dynamo/aiconfigurator, silicon_sample.csv; SemiAnalysisAI/InferenceX; held at /measured/"
)
