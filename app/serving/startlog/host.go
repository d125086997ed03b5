package startlog

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/serving"
)

// Host is what a log or a command says of layers and experts that lie in the memory of the host.
type Host struct {
	OnCard   float64     // layers on the card, the table behind them counted as one more; -1 if nothing is said
	First    float64     // the first layers whose routed experts lie on the host (n-cpu-moe)
	Experts  float64     // routed experts of a layer on the card (kt-num-gpu-experts); -1 if nothing is said
	Tensors  [][2]string // patterns of tensors, each with its buffer (override-tensor); the first that fits counts
	Every    float64     // of so many layers (offload-group-size)
	Last     float64     // the last so many (offload-num-in-group)
	KeysHere bool        // keys and values lie on the host (no-kv-offload)
}

// Hosted is what of a model lies on the host.
//
// llama.cpp has the table before the first layer there, and the layers that don't fit are the first ones. With
// KTransformers' kernels in SGLang a layer has so many of its routed experts on the card; of vLLM's groups of layers
// the last ones lie outside.
func (l *Log) Hosted(m *model.Model) serving.Hosted {
	h, x := &l.Host, serving.Hosted{}
	layers := min(m.Layers, model.MaxLayers)
	var attention, mlp, mlps, experts, expert float64
	for i := range layers {
		away := h.OnCard >= 0 && float64(i) < float64(layers)-h.OnCard ||
			h.Every > 0 && float64(i%int(h.Every)) >= h.Every-h.Last
		if away {
			attention++
		}
		layer := m.Layer(i)
		if !layer.NoMLP && (!layer.Experts || m.MoE.Shared > 0) {
			mlps++
			if away || h.outside(i, "ffn_up.weight") && !layer.Experts {
				mlp++
			}
		}
		if layer.Experts {
			expert++
			switch {
			case away, float64(i) < h.First:
				experts++
			case h.Experts >= 0 && m.MoE.Experts > 0:
				experts += max(1-h.Experts/float64(m.MoE.Experts), 0)
			default:
				for _, tensor := range [...]string{"gate", "up", "down"} {
					if h.outside(i, "ffn_"+tensor+"_exps.weight") {
						experts += 1. / 3
					}
				}
			}
		}
	}
	x.First = l.Engine == "exllama" // which looks rows up there
	x.Attention, x.MLP, x.Experts = attention/float64(layers), mlp/max(mlps, 1), experts/max(expert, 1)
	if l.Engine == "llama.cpp" && !strings.HasPrefix(l.Chip, "soc.") {
		x.First, x.Last = true, h.OnCard >= 0 && h.OnCard <= float64(layers)
		if x.Cache = x.Attention; h.KeysHere {
			x.Cache = 1
		}
	}
	return x
}

// outside tells whether a tensor of layer i lies on the host by its name.
func (h *Host) outside(i int, tensor string) bool {
	for _, t := range h.Tensors {
		if found(t[0], "blk."+itoa(i)+"."+tensor) {
			return strings.HasPrefix(t[1], "CPU")
		}
	}
	return false
}

// readHost reads what a command says of the host beside numbers.
func (l *Log) readHost(text string) (said bool) {
	for _, flag := range [...]string{"--override-tensor", "-ot"} {
		rest, more := text, true
		for {
			if _, rest, more = strings.Cut(rest, flag); !more {
				break
			}
			value := strings.TrimLeft(rest[:min(len(rest), 4<<10)], "'\",")
			if value == "" || strings.IndexByte("= \t\r\n", value[0]) < 0 { // another flag
				continue
			}
			value = strings.TrimLeft(value, "= \t\r\n-")
			ends := " \t\r\n"
			if value != "" && (value[0] == '"' || value[0] == '\'') {
				ends, value = value[:1], value[1:]
			}
			if end := strings.IndexAny(value, ends); end >= 0 {
				value = value[:end]
			}
			for part := range strings.SplitSeq(value, ",") {
				if at := strings.LastIndexByte(part, '='); at > 0 && len(l.Host.Tensors) < mostTensors {
					l.Host.Tensors, said = append(l.Host.Tensors, [2]string{part[:at], part[at+1:]}), true
				}
			}
		}
	}
	return said
}

// mostTensors is how many patterns of tensors are kept.
const mostTensors = 200

// hostFlag keeps what a flag says of the host; it tells whether the flag is of it, and whether it says anything.
func (l *Log) hostFlag(name, value string, x float64, number bool) (is, said bool) {
	switch h := &l.Host; name {
	case "oncard":
		if word := strings.ToLower(value); word == "all" || word == "-1" || word == "auto" || word == "true" {
			return true, false
		}
		if number = number || value == "0"; number {
			h.OnCard = x
		}
	case "hostlayers":
		h.First = x
	case "hostexperts":
		if number = strings.EqualFold(value, "true"); number {
			h.First = model.MaxLayers
		}
	case "cardexperts":
		if number = number || value == "0"; number {
			h.Experts = x
		}
	case "group":
		h.Every = x
	case "ingroup":
		h.Last = x
	case "keyshere":
		number, h.KeysHere = true, strings.EqualFold(value, "true")
	default:
		return false, false
	}
	return true, number
}

// deriveHost takes over what figures of a log say of the host.
func (l *Log) deriveHost() {
	if at := l.find("oncard"); at >= 0 {
		l.Host.OnCard = l.Figures[at].Value
	}
	if l.Host.Every > 0 && l.Host.Last == 0 {
		l.Host.Last = 1
	}
	l.Figures = slices.DeleteFunc(l.Figures, func(f Figure) bool { return f.Name == "oncard" || f.Name == "layers" })
}
