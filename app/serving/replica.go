package serving

// Replica is a model on chips, and how its engine is set: the thing that takes steps.
type Replica struct {
	*Shape
	Chip
	Plan
	Constants
	Engine
}

// Engine is how an engine is set. Zeros mean the usual.
type Engine struct {
	Name      string  // "vllm", "sglang", "trtllm", "maxtext"; "" is any
	Chunk     float64 // tokens of prompts in one step at the most; 0 means 8192
	Sequences float64 // that run at once at the most; 0 means no limit but memory
	Poll      float64 // steps between two looks for new requests (SGLang); 0 means that each step looks
	Wait      float64 // steps for which prompts wait for more of them (TensorRT-LLM); 0 means none
	Share     float64 // of the chip's memory that the engine takes; 0 means 0.9
	Tokens    float64 // that the cache holds, over the whole replica, where that is known; 0 means what memory leaves
	Offload   float64 // bytes of a chip's weights that stay in its host's memory
	Release   float64 // minor and patch of its version: 10.02 is 0.10.2, 103 is 1.3; 0 is the newest
	Length    float64 // tokens of the longest sequence that it takes (max-model-len); 0 means as long as they come
	Room      float64 // of a chip for keys and values, where that is said (kv-cache-memory-bytes); 0 means what is left
	Paged     float64 // tokens of a block of the cache; 0 means the usual
	Halves    bool    // one half of a batch computes while the other exchanges tokens with experts (two-batch overlap)
	Reserve   float64 // of the tokens yet to come, the share that room is kept for; 0 means as the named engine does
	OfFree    bool    // the share is of what weights leave free (TensorRT-LLM), not of the whole (vLLM)
}

// NewReplica checks a plan and fills in what it leaves out.
func NewReplica(s *Shape, c Chip, p Plan, k Constants, e Engine) (*Replica, error) {
	if err := p.Legal(s, &c); err != nil {
		return nil, err
	}
	if e.Chunk == 0 {
		e.Chunk = 8192
	}
	if e.Share == 0 {
		e.Share = 0.9
	}
	return &Replica{Shape: s, Chip: c, Plan: p.full(), Constants: k, Engine: e}, nil
}
