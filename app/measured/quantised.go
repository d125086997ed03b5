package measured

import (
	"errors"
	"math"
	"regexp"
	"strings"

	"github.com/scalebook/scalebook/app/local"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/quant"
)

// quantisedSize predicts the size of a file of weights, and what else follows from it: bits of a weight, and what a
// program keeps that loads it.
func quantisedSize(row Row) (Prediction, error) {
	s := row.Setup
	m, err := storedModel(s)
	params, _ := s.Number(0, "params_B")
	if unknown := err != nil; unknown {
		if !(params > 0 && params < 1e6) {
			return Prediction{}, err
		}
		alike, found := model.Catalog().Get(alikeModel)
		if found != nil {
			return Prediction{}, found
		}
		m = &alike.Model
	}
	shaped := err == nil
	engine := localEngine(s.Text("format", "engine"))
	f, err := formatNamed(formatText(s), engine)
	if err != nil {
		return Prediction{}, err
	}
	size := f.Of(m)
	x := &sizeRow{row: row, size: size, gguf: f.GGUF(), shaped: shaped,
		run: local.NewRun(m, size, &local.Machine{}, f.Engine())}
	switch {
	case !shaped:
		x.size.Bytes *= params * 1e9 / size.Weights
		x.size.Weights = params * 1e9
	case params > 0:
		if x.more = max(0, params*1e9-size.Weights); x.more > 0.2*size.Weights || params*1e9 < 0.5*size.Weights {
			return Prediction{}, errors.New("the row's params_B are not those of its model; give the model's shape")
		}
	}
	p := Prediction{Metrics: Metrics{}}
	if !shaped {
		p.Notes = []string{"nobody tells the model's shape: as much of it is taken for tables as of Llama 3.1 70B"}
	}
	asked := row.Asked
	if len(asked) == 0 {
		asked = []string{"file_size_GiB", "file_size_GB", "bits_per_weight", "derived_bits_per_weight",
			"checkpoint_bytes",
			"checkpoint_GB_approx", "weights_GB_approx", "weights_GiB_per_device", "peak_memory_GB", "original_size_GB",
			"kv_GB_per_1M_tokens",
			"derived_kv_kB_per_token", "vram_q4_0_GB_as_printed", "vram_f16_GB_as_printed"}
	}
	for _, name := range asked {
		if mid, found := byName(name, x.metric); found && x.within(mid).sound() {
			p.Metrics[name] = x.within(mid)
		}
	}
	if len(p.Metrics) == 0 {
		return p, errors.New("none of what was measured follows from the format; ask for file_size_GiB or " +
			"bits_per_weight")
	}
	return p, nil
}

// alikeModel is whose tables stand for those of a model of which only the number of parameters is known.
const alikeModel = "llama3.70b"

// sizeRow is a row of a file, read.
type sizeRow struct {
	row    Row
	size   *quant.Size
	run    *local.Run
	gguf   bool    // one of llama.cpp's files
	shaped bool    // its shape is known, and not another's in its place
	more   float64 // weights that the model's shape lacks, such as those of an encoder of images: they stay in 16 bits
}

// within is an interval: mixes of GGUF are known tensor by tensor, of others also modules that nobody names stay in 16
// bits.
func (x *sizeRow) within(mid float64) Interval {
	if x.gguf {
		return Interval{mid * 0.985, mid, mid * 1.015}
	}
	return Interval{mid * 0.95, mid, mid * 1.12}
}

// vramNames are what programs take that load a file: "vram_q4_0_GB_as_printed".
var vramNames = regexp.MustCompile(`^vram_([a-z0-9_]+?)_GB`)

// sizeNames are what rows call the size of a file, with its unit.
var sizeNames = regexp.MustCompile(`^(?:file_|model_|disk_|download_)?size_(bytes|mb|gb|mib|gib)$`)

// vramContext is how many tokens llama.cpp kept room for when such tables were made.
const vramContext = 512

// metric is a metric by its name.
func (x *sizeRow) metric(name string) (float64, bool) {
	bytes, weights := x.size.Bytes, x.size.Weights
	if !x.gguf {
		bytes, weights = bytes+2*x.more, weights+x.more
	}
	s := x.row.Setup
	if m := sizeNames.FindStringSubmatch(strings.ToLower(name)); m != nil {
		return bytes / byteUnit(m[1]), true
	}
	switch name {
	case "bits_per_weight", "derived_bits_per_weight", "bpw":
		return 8 * bytes / weights, true
	case "file_size_GiB", "size_GiB", "model_size_GiB":
		return bytes / (1 << 30), true
	case "file_size_GB", "checkpoint_GB_approx", "weights_GB_approx", "checkpoint_GB", "size_GB":
		return bytes / 1e9, true
	case "kv_GB_per_1M_tokens", "derived_kv_kB_per_token":
		each := float64(x.run.Model.KVBytesPerToken(2))
		return each / 1e3, x.shaped && each > 0
	case "file_size_bytes", "checkpoint_bytes":
		return bytes, true
	case "original_size_GB":
		each := 4.0
		if strings.Contains(s.Text("original_format"), "16") {
			each = 2
		}
		return each * weights / 1e9, true
	case "weights_GiB_per_device":
		n, err := s.Count(mostDevices, "tp", "n_devices")
		return x.size.Bytes / math.Max(1, n) / (1 << 30), err == nil
	case "peak_memory_GB":
		prompt, _ := s.Number(0, "prompt_tokens")
		tokens, _ := s.Number(0, "gen_tokens")
		return x.run.Held(1, prompt+tokens) / 1e9, prompt >= 0 && tokens >= 0
	}
	if m := vramNames.FindStringSubmatch(name); m != nil {
		f, found := quant.Get(m[1])
		run := local.NewRun(x.run.Model, f.Of(x.run.Model), &local.Machine{}, "llama.cpp")
		return run.Held(1, vramContext) / (1 << 30), found
	}
	return 0, false
}
