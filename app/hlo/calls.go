package hlo

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
)

// libraries are the calls whose arithmetic their configuration and shapes tell, by what stands in the names of their
// targets.
var libraries = [...]struct {
	target string
	count  func(*Op, *float64) float64
}{
	{"__cublas$triangularSolve", (*Op).triangular},
	{"__cublas$", (*Op).gemm}, {"__triton_gemm", (*Op).gemm}, {"__onednn$matmul", (*Op).gemm},
	{"__op$block_scaled_dot", (*Op).gemm}, {"__cudnn$blockScaledDot", (*Op).gemm},
	{"__cudnn$conv", (*Op).cudnnConvolution}, {"__cudnn$fmha", (*Op).attention},
	{"te_fused_attn_", (*Op).engineAttention},
	{"Cholesky", (*Op).cholesky}, {"InvertDiagBlocks", (*Op).cholesky},
	// LAPACK's, as all solvers call them: lapack_spotrf_ffi, cusolver_potrf, hipsolver_getrf_ffi.
	{"potrf", (*Op).cholesky}, {"__cusolver$cholesky", (*Op).cholesky}, {"trsm", (*Op).triangular},
	{"getrf", (*Op).factors}, {"geqrf", (*Op).orthogonal},
	{"LuDecomposition", (*Op).factors}, {"LuRealDecomposition", (*Op).factors}, {"QrDecomposition", (*Op).orthogonal},
}

// marks are the targets of calls that do nothing by themselves: they say how an array is split, or keep memory for one.
const marks = "|Sharding|SPMDFullToShardShape|SPMDShardToFullShape|AllocateBuffer|LayoutConstraint|MoveToHost|" +
	"MoveToDevice|annotate_device_placement|AssumeGatherIndicesInBound|Pin|Unpin|ShardBarrierFrom|ShardBarrierTo|" +
	"ConcatBitcast|__xla_internal_call_marker_before|__xla_internal_call_marker_after|xla.sdy.FuncResultSharding|" +
	"xla.sdy.GlobalToLocalShape|xla.sdy.LocalToGlobalShape|"

// selections are calls that do one operation with each element that they take: they compare it, or take its halves.
const selections = "|TopK|__gpu$TopK|PartialReduce|ApproxTopK|X64SplitLow|X64SplitHigh|X64Combine|"

func (o *Op) isSelection() bool {
	target := o.Target()
	return target != "" && strings.Contains(selections, "|"+target+"|")
}

// Target is what a call calls; empty of anything else.
func (o *Op) Target() string {
	return strings.Trim(o.Attr("custom_call_target"), `"`)
}

func (o *Op) isMark() bool {
	target := o.Target()
	return target != "" && strings.Contains(marks, "|"+target+"|")
}

// library counts what a call computes, as far as its configuration and its shapes say.
func (o *Op) library(taps *float64) float64 {
	target := o.Target()
	for _, l := range libraries {
		if strings.Contains(target, l.target) {
			return l.count(o, taps)
		}
	}
	if text, ok := field(o.config(), "cost_estimate"); ok { // of a kernel of Pallas, by its author
		flops, _ := field(text, "flops")
		if n, err := strconv.ParseFloat(strings.Trim(flops, `"`), 64); err == nil && n > 0 && n <= maxSize {
			return n
		}
	}
	return 0
}

// gives is the result of a call: the first part of a tuple, beside which stand scratch and marks.
func (o *Op) gives() *Shape {
	if len(o.Shape.Tuple) > 0 {
		return &o.Shape.Tuple[0]
	}
	return &o.Shape
}

// gemm counts a matmul of a library: by the dimensions that its configuration says are summed over, or where it says
// nothing of them by the sizes of three matrices.
func (o *Op) gemm(*float64) float64 {
	left, right, result := o.operand(0), o.operand(1), o.gives()
	config := o.config()
	if list, ok := field(config, "lhs_contracting_dimensions"); ok {
		summed := 1.0
		ns := quoted(list)
		for _, d := range ns {
			if int(d) < len(left.Dims) {
				summed *= left.Dims[int(d)]
			}
		}
		ragged, _ := field(config, "lhs_ragged_dimensions")
		return 2 * result.Elements() * summed / o.parts(ns, quoted(ragged))
	}
	n := len(result.Dims)
	if n < 2 || len(left.Dims) != n || len(right.Dims) != n {
		return 0
	}
	batch := product(result.Dims[:n-2])
	if batch <= 0 || product(left.Dims[:n-2]) != batch || product(right.Dims[:n-2]) != batch || result.Elements() == 0 {
		return 0
	}
	// m k times k n over m n is the square of k.
	summed := math.Sqrt(left.Elements() * right.Elements() / (result.Elements() * batch))
	if summed != math.Trunc(summed) {
		return 0
	}
	return 2 * result.Elements() * summed
}

// quoted are the numbers of a list in JSON: ["0","1"].
func quoted(list string) []float64 {
	ns, _ := numbers(strings.ReplaceAll(strings.Trim(list, "[]"), `"`, ""))
	return ns
}

// cudnnConvolution counts a convolution of cuDNN. Its gradients have the labels of the convolution that they belong to.
func (o *Op) cudnnConvolution(taps *float64) float64 {
	switch target := o.Target(); {
	case strings.HasPrefix(target, "__cudnn$convBackwardInput"):
		return o.convolve(o.gives(), o.operand(1), o.operand(0), taps)
	case strings.HasPrefix(target, "__cudnn$convBackwardFilter"):
		return o.convolve(o.operand(0), o.gives(), o.operand(1), taps)
	}
	return o.convolve(o.operand(0), o.operand(1), o.gives(), taps)
}

// attention counts fused attention of cuDNN: two matmuls forward; backward five, as the scores are computed again. The
// configuration has the scores' shape; under a causal mask half of them are needed.
func (o *Op) attention(*float64) float64 {
	config := o.config()
	text, _ := field(config, "intermediate_tensor_shape")
	text, _ = field(text, "dimensions")
	dims := quoted(text)
	if len(dims) != 4 || product(dims) <= 0 || product(dims) > maxSize {
		return 0
	}
	rows, scores := product(dims[:3]), product(dims)
	width := o.operand(0).Elements() / rows
	if width != math.Trunc(width) || o.operand(1).Elements() == 0 {
		return 0
	}
	values := width * o.operand(2).Elements() / o.operand(1).Elements()
	if mask, _ := field(config, "mask_type"); strings.Contains(mask, "CAUSAL") {
		text, _ := field(config, "sliding_window_length")
		window, _ := strconv.ParseFloat(strings.Trim(text, `"`), 64)
		scores = causal(dims[2], dims[3], window) * scores / (dims[2] * dims[3])
	}
	if strings.Contains(o.Target(), "Backward") {
		return 2 * scores * (3*width + 2*values)
	}
	return 2 * scores * (width + values)
}

// engineAttention is the same of Transformer Engine, whose configuration has the sizes one by one. Its masks from 2 on
// are causal; a window leaves so many keys before each query.
func (o *Op) engineAttention(*float64) float64 {
	said := func(name string) float64 {
		_, rest, _ := strings.Cut(o.config(), name+" = ")
		x, err := strconv.ParseFloat(rest[:max(strings.IndexAny(rest, " ,}"), 0)], 64)
		if err != nil || math.Abs(x) > maxSize {
			return 0
		}
		return x
	}
	queries, keys := said("q_max_seqlen"), said("kv_max_seqlen")
	scores, window := queries*keys, said("window_size_left")
	if window > 0 {
		window++ // and the key of the query itself
		scores = min(scores, queries*window)
	}
	if said("mask_type") >= 2 {
		scores = causal(queries, keys, window)
	}
	width, values := said("qk_head_dim"), said("v_head_dim")
	matmuls := width + values
	if strings.Contains(o.Target(), "backward") {
		matmuls = 3*width + 2*values
	}
	return max(min(2*said("input_batch")*said("attn_heads")*scores*matmuls, maxSize), 0)
}

// causal is how many scores a causal mask leaves: those of the keys up to each query, which are the last ones; of a
// window not more than so many of them.
func causal(queries, keys, window float64) float64 {
	q := min(queries, keys)
	if !(q > 0) {
		return 0
	}
	first, whole := keys-q+1, q // keys of the first query, and queries that lack none of theirs
	if window > 0 {
		whole = max(0, min(q, window-first+1))
	}
	return whole*(2*first+whole-1)/2 + (q-whole)*window
}

// config is the configuration of an operation for its compiler. Older ones have it in quotes.
func (o *Op) config() string {
	text := o.Attr("backend_config")
	if strings.HasPrefix(text, `"`) {
		text = strings.ReplaceAll(strings.Trim(text, `"`), `\"`, `"`)
	}
	return text
}

// field is the value of a field of that name anywhere in a text of JSON, as it is written.
func field(text, name string) (value string, ok bool) {
	_, rest, ok := strings.Cut(text, `"`+name+`"`)
	s := scan{src: rest}
	s.space()
	if !ok || !s.take(':') {
		return "", false
	}
	s.space()
	switch begin := s.pos; s.next() {
	case '{', '[', '(':
		_, ok = s.group()
		return rest[begin:min(len(rest), s.pos)], ok
	case '"':
		s.quoted()
		return rest[begin:min(len(rest), s.pos+1)], true
	default:
		end := strings.IndexAny(rest[begin:], ",}] \n")
		if end < 0 {
			end = len(rest) - begin
		}
		return rest[begin : begin+end], end > 0
	}
}

// scratch tells whether a part of a call's result is no traffic: nobody reads it, or it is what a library works in.
func (o *Op) scratch(part int, s *Shape) bool {
	if o.entire || o.Root || len(o.read) == 0 {
		return o.workspace(part, s)
	}
	return !slices.Contains(o.read, part)
}

// workspace tells whether a part of a call's result is what a library works in: bytes, behind all else.
func (o *Op) workspace(part int, s *Shape) bool {
	target := o.Target()
	return part > 0 && part == len(o.Shape.Tuple)-1 && len(s.Dims) == 1 && (s.Type == "s8" || s.Type == "u8") &&
		(strings.HasPrefix(target, "__cublas$") || strings.HasPrefix(target, "__cudnn$"))
}

// Collective is what an operation sends, and among how many devices.
type Collective struct {
	Op    network.Op
	Bytes float64 // the whole array of a group, as app/network counts it
	Group int     // devices of a group; 0 if the text does not say

	members string // which those are, as the text has it
	each    int    // devices that stand for one number of those, one behind the other; 0 if it is a device's own
}

// bases are the operations that send, as their names begin.
var bases = [...]struct {
	code string
	op   network.Op
}{
	{"all-reduce-scatter", network.ReduceScatter}, {"reduce-scatter", network.ReduceScatter},
	{"all-gather", network.AllGather}, {"all-reduce", network.AllReduce}, {"ragged-all-to-all", network.AllToAll},
	{"all-to-all", network.AllToAll}, {"collective-permute", network.Permute},
	{"collective-broadcast", network.Broadcast},
}

// sends tells which collective an operation code, or the name of a computation, stands for.
func sends(code string) (network.Op, bool) {
	for _, b := range bases {
		if rest, ok := strings.CutPrefix(code, b.code); ok && (rest == "" || rest == "-start" || rest[0] == '.') {
			return b.op, true
		}
	}
	return 0, false
}

// collective is what an operation sends; ok is false if it sends nothing.
func (o *Op) collective() (c Collective, ok bool) {
	if o.Code == "send" && o.Attr("is_host_transfer") != "true" {
		to := strings.Replace(o.Attr("frontend_attributes"), "source_target_pairs=", `"pairs":`, 1)
		pairs, _ := field(to, "pairs")
		return Collective{Op: network.Permute, Bytes: o.operand(0).Bytes(), Group: 2,
			members: strings.Trim(pairs, `"`)}, true
	}
	if c.Op, ok = sends(o.Code); !ok {
		return c, false
	}
	c.Group, c.members = o.group(), cmp.Or(o.Attr("replica_groups"), o.Attr("source_target_pairs"))
	in := 0.0
	for i := range o.Operands {
		if in += o.operand(i).Bytes(); o.Code == "ragged-all-to-all" {
			break // the others are what it writes into, and sizes
		}
	}
	if parts := o.pieces(); parts > 0 {
		in = parts
	}
	c.size(in, o.Shape.Bytes())
	return c, true
}

// across finds the devices of groups whose numbers are not theirs. Devices are numbered replica after replica of the
// program, partition after partition of each. Without a channel groups are of replicas, one partition of each. With one
// they are of whole replicas, if the operation reduces or gathers, and else of partitions.
func (m *Module) across(o *Op, c *Collective) {
	listed := o.group()
	switch {
	case m.partitions < 2 || o.Attr("use_global_device_ids") == "true" || strings.HasPrefix(c.members, "mesh["):
	case o.Attr("channel_id") == "":
		if m.replicas > 1 && listed <= m.replicas && c.Op != network.Permute {
			c.Group, c.each = cmp.Or(listed, m.replicas), m.partitions
			if listed == 0 {
				c.members = "{{0," + strconv.Itoa(m.replicas-1) + "}}" // the first and the last
			}
		}
	case c.Op == network.AllReduce || c.Op == network.AllGather || c.Op == network.ReduceScatter:
		if listed <= m.replicas {
			c.Group, c.each = cmp.Or(listed, m.replicas)*m.partitions, m.partitions
		}
	case listed == 0 && c.Op != network.Permute:
		c.Group = m.partitions
	}
	if c.Group = cmp.Or(c.Group, m.Devices); c.Op == network.AllToAll && listed == 0 {
		c.Bytes *= float64(max(c.Group, 1))
	}
}

// pieces are the bytes of what a permutation sends of its array into another one, slice by slice; 0 where it sends the
// whole. Behind the two arrays it takes the places of the slices.
func (o *Op) pieces() float64 {
	elements := 0.0
	list(strings.TrimSuffix(strings.TrimPrefix(o.Attr("slice_sizes"), "{"), "}"), func(part string) bool {
		if ns, ok := numbers(strings.Trim(part, "{}")); ok && strings.HasPrefix(part, "{") {
			elements += product(ns)
		}
		return elements < maxSize
	})
	return min(elements*o.operand(0).Bits()/8, maxSize)
}

// size fills in what is known from the bytes that each device puts in and takes out. Where the text does not have what
// is put in, it follows from the rest.
func (c *Collective) size(in, out float64) {
	known := in > 0
	switch {
	case known:
	case c.Op == network.ReduceScatter:
		in = out * float64(max(c.Group, 1))
	default:
		in = out
	}
	switch c.Op {
	case network.AllGather:
		c.Bytes = out
	case network.AllToAll:
		c.Bytes = in * float64(max(c.Group, 1))
	default:
		c.Bytes = in
	}
	if known && c.Group == 0 && (c.Op == network.AllGather || c.Op == network.ReduceScatter) {
		c.Group = int(min(maxGroup, max(in, out)/max(1, min(in, out))))
	}
	if c.Op == network.Permute {
		c.Group = max(c.Group, 2)
	}
}

// started is the operation that another one begins, which is written with -start and has its operands in its result.
func (o *Op) started() *Op {
	base, ok := strings.CutSuffix(o.Code, "-start")
	if !ok {
		return o
	}
	w, s := *o, &o.Shape
	switch w.Code = base; {
	case len(s.Tuple) < 2:
	case base == "copy":
		w.Shape = s.Tuple[0]
	case base != "all-reduce" || s.Tuple[0].Type == "": // else it reduces several arrays
		w.Shape = s.Tuple[1]
	}
	return &w
}

// ends tells whether an operation only waits for what another one began.
func (o *Op) ends() bool {
	return strings.HasSuffix(o.Code, "-done") || strings.HasSuffix(o.Code, "-update")
}

// maxGroup is how many devices a group may have.
const maxGroup = 1 << 20

// group is how many devices take part: the length of the first list of replica_groups={{0,1},{2,3}}, the second number
// of its short form [2,4]<=[8], which is groups times members, or what the axes of a mesh make; 0 if all do or nobody
// says.
func (o *Op) group() int {
	text := o.Attr("replica_groups")
	if strings.HasPrefix(text, "mesh[") {
		n, _ := meshed(text + o.Attr("device_ids")) // which stand behind the sizes of some
		return n
	}
	if short, ok := strings.CutPrefix(text, "["); ok {
		short, _, _ = strings.Cut(short, "]")
		if ns, ok := numbers(short); ok && len(ns) == 2 && ns[1] <= maxGroup {
			return int(ns[1])
		}
		return 0
	}
	n := 0
	list(strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}"), func(part string) bool {
		n = 0
		list(strings.Trim(part, "{}"), func(string) bool { n++; return n < maxGroup })
		return false
	})
	return n
}

// leaves tells whether a group of devices, or a pair that sends, is in more than one node of so many. Where the text
// has a list only of the first group, as sizes and an order of axes, the others lie like it.
func (c *Collective) leaves(node int) (far bool) {
	if node < 2 {
		return false
	}
	members := c.members
	node = max(1, node/max(1, c.each))
	if _, last := meshed(members); strings.HasPrefix(members, "mesh[") {
		return last >= node
	} else if strings.HasPrefix(members, "[") {
		return farthest(members) >= node
	}
	list(strings.TrimSuffix(strings.TrimPrefix(members, "{"), "}"), func(part string) bool {
		ns, _ := numbers(strings.Trim(part, "{}"))
		for _, n := range ns {
			far = far || int(n)/node != int(ns[0])/node
		}
		return !far
	})
	return far
}

// farthest is the last device of the first group of [8,2]<=[2,8]T(1,0): the devices are numbered over axes of those
// sizes, of which T has the order.
func farthest(text string) (most int) {
	short, rest, _ := strings.Cut(text, "]<=[")
	sizes, order, turned := strings.Cut(rest, "]")
	dims, _ := numbers(sizes)
	groups, _ := numbers(strings.TrimPrefix(short, "["))
	axes, _ := numbers(strings.Trim(strings.TrimPrefix(order, "T"), "()"))
	if len(groups) == 0 || len(dims) > maxDims {
		return 0
	}
	left, strides := groups[len(groups)-1], make([]float64, len(dims))
	for i, stride := len(dims)-1, 1.0; i >= 0; i-- {
		strides[i], stride = stride, stride*dims[i]
	}
	for i := len(dims) - 1; i >= 0 && left > 1; i-- {
		at := i
		if turned && len(axes) == len(dims) {
			at = min(int(axes[i]), len(dims)-1)
		}
		n := min(left, dims[at])
		most += int(min((n-1)*strides[at], maxGroup))
		left = math.Ceil(left / max(1, n))
	}
	return most
}

// meshed is how many devices the named axes of a mesh make, as in mesh['x'=2,'y'=4] {'y'}, and the last device of the
// first group; of a part of an axis, 'y':(1)2, it has so many as stand behind its bracket, those that follow so many
// parts. It is 0 if an axis has no size there.
func meshed(text string) (group, last int) {
	axes, chosen, _ := strings.Cut(strings.TrimPrefix(text, "mesh["), "]")
	size := func(of string) (n, apart int) {
		list(axes, func(part string) bool {
			name, number, _ := strings.Cut(part, "=")
			if next, _ := strconv.Atoi(number); name == of {
				n, apart = next, 1
			} else if apart *= next; apart > maxGroup {
				apart = maxGroup
			}
			return true
		})
		return n, apart
	}
	at, group := strings.LastIndexByte(chosen, '{'), 1
	if at < 0 {
		return 0, 0
	}
	list(chosen[at+1:], func(part string) bool {
		part = strings.TrimSuffix(part, "}")
		name, piece, cut := strings.Cut(part, ":(")
		n, apart := size(name)
		if before, piece, _ := strings.Cut(piece, ")"); cut {
			whole, skipped := n, 1
			n, _ = strconv.Atoi(piece)
			skipped, _ = strconv.Atoi(before)
			apart *= max(1, whole/max(1, n*skipped))
		}
		if n < 1 || n > maxGroup/group {
			n = 0
		}
		group *= n
		last = min(last+(n-1)*apart, maxGroup)
		return n > 0
	})
	return group, last
}
