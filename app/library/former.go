package library

import (
	"cmp"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Functions of earlier editions still work, with the arguments and the results that they had: sheets that somebody
// keeps, or that a link carries, mean what they meant. Nothing suggests them, and a sheet that uses one gets a note of
// what to write today.

// former is a law of an earlier edition, and what stands in its place.
type former struct{ name, takes, gives, formula, instead string }

// Formulas say what a function gave; an empty successor is the formula with the arguments in it.
func formers() []former {
	return []former{
		{"ring_hops", "N >= 1", "hop", "floor(N/2)", ""},
		{"ring_mean_hops", "N >= 1", "hop", "floor(N^2/4)/N", ""},
		{"line_mean_hops", "N >= 1", "hop", "(N^2 - 1)/(3*N)", ""},
		{"sharp_gain", "N >= 1", "", "2 * (N - 1)/N", ""},
		{"alpha_beta_time", "V byte, alpha s, W byte/s > 0", "s", "alpha + V/W", ""},
		{"transfer_time", "V byte, links >= 1, W_oneway byte/s > 0, hops, hop s", "s",
			"V/(links*W_oneway) + hops*hop", ""},
		{"permute_time", "V byte, hops, W_oneway byte/s > 0", "s", "hops * V/W_oneway", ""},
		{"broadcast_time", "V byte, W byte/s > 0", "s", "V/W", ""},
		{"broadcast_time_line", "V byte, N >= 1, W_oneway byte/s > 0, pieces >= 1", "s",
			"if(N > 1, (pieces + N - 2)/pieces * V/W_oneway, 0 s)", ""},
		{"broadcast_time_tree", "V byte, N >= 1, egress byte/s > 0", "s", "ceil(log2(N)) * V/egress", ""},
		{"all_gather_time_ring", "V byte, N >= 1, W_twoway byte/s > 0, hop s", "s",
			"max(hop * floor(N/2), (N - 1)/N * V/W_twoway)",
			"max(hop * floor(N/2), all_gather_time_exact(V, N, W_twoway))"},
		{"all_to_all_time_oneway", "V byte, W_oneway byte/s > 0", "s", "V / (2*W_oneway)", ""},
		{"all_to_all_time_oneway_exact", "V byte, N >= 1, W_oneway byte/s > 0", "s", "(N - 1)/(2*N) * V/W_oneway", ""},
		{"ragged_all_to_all_time", "V byte, N >= 1, k, egress byte/s > 0", "s", "min(k/N, 1) * V/(N*egress)",
			"ragged_share(k, N) * all_to_all_time_switch(V, N, egress)"},
		{"ragged_all_to_all_time_exact", "V byte, N >= 1, k, egress byte/s > 0", "s",
			"(1 - ((N - 1)/N)^k) * (N - 1)/N^2 * V/egress",
			"ragged_share_exact(k, N) * all_to_all_time_switch_exact(V, N, egress)"},
		{"sharded_gather_time_node", "V byte, Y >= 1, D >= 1, egress byte/s > 0", "s", "V / (egress * min(Y, D))", ""},
		{"sharded_gather_time_between", "V byte, Y >= 1, D >= 1, egress byte/s > 0", "s",
			"V * D/(egress * max(Y, D))", ""},
		{"matmul_flops_exact", "B, D, F", "FLOP", "1 FLOP * B * F * (2 * D - 1)", ""},
		{"mlp_params", "D, F, gated switch = on", "parameter", "if(gated, 3, 2) * D * F", ""},
		{"attention_params", "D, N, K, H", "parameter", "2 * D * (N + K) * H", ""},
		{"mlp_train_flops", "B, T, D, F, gated switch = on", "FLOP", "if(gated, 18 FLOP, 12 FLOP) * B * T * D * F", ""},
		{"projection_train_flops", "B, T, D, N, K, H", "FLOP", "12 FLOP * B * T * D * (N + K) * H", ""},
		{"attention_train_flops", "B, T, S, N, H", "FLOP", "12 FLOP * B * T * S * N * H", ""},
		{"attention_train_flops_causal", "B, T, N, H", "FLOP", "6 FLOP * B * T^2 * N * H", ""},
		{"unembedding_train_flops", "B, T, D, V", "FLOP", "6 FLOP * B * T * D * V", ""},
		{"attention_recompute_flops", "B, T, N, H", "FLOP", "4 FLOP * B * T^2 * N * H", ""},
		{"kv_cache_bytes", "S, L, K, H, d dtype = bf16", "byte", "2 * S * L * K * H * d.bytes",
			"S * kv_bytes(model, d)"},
		{"kept_bytes", "tokens, D, L, c, d dtype = bf16", "byte", "c * tokens * D * L * d.bytes", ""},
		{"attention_intensity", "T, S, N, K, d dtype = bf16", "FLOP/byte",
			"2 FLOP * T * S * N / (d.bytes * (T * N + S * K))", ""},
		{"attention_crossover", "D, F, N, K, H", "token", "D * (18 * F + 12 * (N + K) * H) / (12 * N * H) * 1 token",
			"crossover_context(model)"},
		{"kv_room", "share, memory byte, weights byte, activations byte, nontorch byte, graphs byte", "byte",
			"share * memory - weights - activations - nontorch - graphs",
			"cache_memory(memory, share, weights, activations, workspace)"},
		{"static_room", "share, free byte, nontorch byte, weights byte", "byte",
			"share * (free - nontorch) - weights", ""},
		{"blocks_held", "room byte, each byte > 0", "", "floor(max(room, 0 byte)/each)", ""},
		{"cache_room", "memory byte, share, weights byte, activations byte, workspace byte", "byte",
			"max(share * memory - weights - activations - workspace, 0 byte)",
			"cache_memory(memory, share, weights, activations, workspace)"},
		{"mixed_floor", "F, peak FLOP/s > 0, W_x byte/s > 0, W_y byte/s > 0, matrices > 0", "token",
			"2 * peak^2 / (W_x * W_y * matrices * F) * (1 byte/FLOP)^2", "mixed_tokens(F, peak, W_x, W_y, matrices)"},
	}
}

// addFormer offers what earlier editions offered. It comes behind all else.
func addFormer(env *value.Env) {
	for _, f := range formers() {
		l := &law.Law{Name: f.name, Takes: f.takes, Gives: f.gives, Formula: f.formula, Source: formerSource,
			Doc: formerDoc}
		newLaw(env, l).add(env)
		env.Funcs[f.name].Instead = cmp.Or(f.instead, f.formula)
	}
	n := &networks{}
	way := env.Funcs["plan"].Result
	field := func(name, gives, of string) funcDecl {
		return funcDecl{Name: name, Gives: gives, Doc: `startup_log("").` + of,
			Call: func([]value.Value) (value.Value, error) {
				log, err := env.Funcs["startup_log"].Call([]value.Value{words("")})
				if err != nil {
					return value.Value{}, err
				}
				return log.Record.All()[of], nil
			}}
	}
	decls := []funcDecl{
		field("serving_engines", "list serving engine", "engines"),
		field("cache_formats", "list dtype", "caches"),
		field("loaded_formats", "list dtype", "formats"),
		{Name: "matmul_start", Takes: "text text, peak FLOP/s, bandwidth byte/s", Gives: "FLOP", Work: 1 << 10,
			Doc: "first of matmul_timings(text, peak, bandwidth)",
			Call: func(a []value.Value) (value.Value, error) {
				all, err := env.Funcs["matmul_timings"].Call(a)
				if err != nil || len(all.List) == 0 {
					return value.Value{}, err
				}
				return all.List[0], nil
			}},
	}
	register(env, formerSource, decls)
	for _, d := range decls {
		env.Funcs[d.Name].Instead, env.Funcs[d.Name].Doc = d.Doc, formerDoc
	}
	env.Funcs["matmul_start"].Result = *env.Funcs["matmul_timings"].Result.Of
	plan := env.Funcs["plan"]
	env.Funcs["sharding_ways"] = &value.Func{Name: "sharding_ways", Params: plan.Params, Variadic: true,
		Result: value.ListOf(way), Work: plan.Work, Source: plan.Source, Doc: formerDoc,
		Instead: `product_ways(product_on(chip, "rings", bf16, einsum, mesh, sizes), "exact")`,
		Call: func(a []value.Value) (value.Value, error) {
			p, err := n.plan(a[:4], a[4:], kept)
			if err != nil {
				return value.Value{}, err
			}
			var all []*value.Record
			for _, s := range p.Strategies {
				r := strategyRecord(p, s, way.Record)
				r.ID = strings.Trim(strings.NewReplacer(" ", "", "(", ".", ")", "", ",", "-").Replace(r.Name), "-")
				all = append(all, r)
			}
			return recordList(all), nil
		}}
}

const (
	formerDoc    = "A function of an earlier edition."
	formerSource = "an earlier edition"
)
