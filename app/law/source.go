package law

// Sources of laws.
const (
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
	Thakur          = "Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH (2005)"
	Williams        = "Williams, Waterman and Patterson, Roofline, CACM 52(4) (2009)"
)
