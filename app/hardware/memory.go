package hardware

import "strings"

// What of a GPU's memory no program can have, though its driver counts it.
const (
	// Driver is what the driver keeps: nvidia-smi and rocm-smi report 0.3 to 0.8 GiB more than CUDA and HIP have to give
	// (79.65 and 79.2 GiB of an H100, 80 and 79.2 of an A100, 44.99 and 44.42 of an L40S, 179.06 and 178.35 of a B200,
	// 191.98 and 191.69 of an MI300X, in logs of vLLM and of PyTorch).
	Driver = 512 << 20

	// Context is what a process takes when it opens a GPU, before it asks for anything: what vLLM's logs call total less
	// what they find free (0.53 GiB of an H100, 0.49 of an L40S, 0.41 of an A100, 0.45 of an RTX 4090, 0.33 of an MI300X).
	Context = 460 << 20
)

// shared are sources whose figures are what programs can have already.
const shared = " libtpu cuda-total "

// Usable is the bytes of its memory that programs can have together. The error says that nobody knows.
func (a *Accelerator) Usable() (float64, error) {
	c, err := a.Get("hbm")
	own := c.Source.ID == "" // a reader's number is taken as it is
	if err != nil || own || !strings.HasPrefix(a.ID, "gpu.") || strings.Contains(shared, " "+c.Source.ID+" ") {
		return c.Value.Value, err
	}
	return max(c.Value.Value-Driver, 0), nil
}
