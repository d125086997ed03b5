"""Counts the parameters of models as the transformers library builds them, on the meta device, without weights.

    build.py CONFIGS TABLE [TYPE...]

reads every config.json in the folder CONFIGS, and makes the configuration that each TYPE of model_type has by default,
or those of the file types.txt beside this script. It writes a line of JSON for each to TABLE: a name, the
configuration unless it stands in CONFIGS, and the parameters by module, or why there are none; of these what a token
uses, where it doesn't use all, and what a cache keeps (see runs.py), or why the model doesn't run. `make reference`
runs it.
"""

import json
import pathlib
import re
import signal
import sys
import warnings

import torch
import transformers
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM
from transformers.models.auto import modeling_auto as auto

import runs

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()

SEES = r"visual|vision|image|img|patch|pixel|merger|multi_modal|multimodal|projector\.|connector|vit\b|aimv2|mm_|resampler|" \
    r"qformer|query_tokens|language_projection|aligner|vte\b|model\.embed_vision"
HEARS = r"audio|speech|whisper|conformer|sound"
SPEAKS = r"talker|token2wav|code2wav|code_predictor|vqmodel|vqgan|generation_|\bdepth_"
# By the first of these that a parameter's name has, it belongs to a part.
PARTS = [
    ("speech", SPEAKS),
    ("audio", HEARS),
    ("vision", r"(?!.*vision_mlp)(" + SEES + ")"),
    ("small", r"A_log|dt_bias|_bias$|\.bias$|moe_statics|sinks|(norm|ln_|layernorm)\w*\.(weight|scale)$|position_bias"),
    ("embedding", r"embed_tokens_per_layer"),
    ("other", r"altup|laurel|per_layer|hc_|_hc\b|hyper"),
    ("head", r"lm_head|embed_out|\boutput\.weight$|score\.|diffusion_head"),
    ("mlp", r"shared_expert|mixer\.(up|down)_proj"),
    ("experts", r"experts?\.|experts_|vision_mlp"),
    ("router", r"router|(mlp|moe|feed_forward|mixer)\.gate\.|\.wg\b|gate\.(wg|classifier)"),
    ("mlp", r"mlp|ffn|feed_forward|\bfc[12]|dense_|shared|block_sparse|\bmoe\b"),
    ("attention", r"attn|attention|mixer|mamba|conv|linear_att|\bssm|kda|delta"),
    ("embedding", r"embed|wte|wpe|\bshared\.weight"),
]
BUFFERS = r"e_score_correction_bias|expert_bias|moe_statics|tid2eid"  # stored, though no parameters


def part(name, p):
    """The part of a model that a parameter belongs to, by its name and its shape."""
    for key, pattern in PARTS:
        if key == "embedding" and p.dim() < 2:
            return "small"
        if key not in ("speech", "audio", "vision") and p.dim() < 2:
            return "small"
        if re.search(pattern, name):
            return key
    return "other"


class Late(Exception):
    pass


def late(*_):
    raise Late("takes more than two minutes of a processor")


def build(config):
    """The model of a configuration, by the first of the usual classes that has one."""
    kind, errors = config["model_type"], []
    made = AutoConfig.for_model(**{"model_type": kind, **{k: v for k, v in config.items() if k != "model_type"}})
    ways = [
        (auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES, getattr(transformers, "AutoModelForImageTextToText", None)),
        (auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, AutoModelForCausalLM),
        (auto.MODEL_MAPPING_NAMES, AutoModel),
    ]
    for names, way in ways:
        if kind not in names or way is None:
            continue
        try:
            with torch.device("meta"):
                return way.from_config(made), made
        except Late:
            raise
        except Exception as e:  # another class may do
            errors.append(f"{type(e).__name__}: {e}".splitlines()[0][:160])
    raise ValueError("; ".join(errors) or f"the library has no model of type {kind}")


def stored(model):
    """The parameters of a model by name, and buffers that are stored as parameters are."""
    return list(model.named_parameters()) + \
        [(n, b) for n, b in model.named_buffers() if re.search(BUFFERS, n) and "tid2eid" not in n]


def count(config):
    model, made = build(config)
    parts, seen = {}, set()
    for name, p in stored(model):
        if id(p) not in seen:  # each only once
            seen.add(id(p))
            key = part(name, p)
            parts[key] = parts.get(key, 0) + p.numel()
    return model, parts, made


def plain(made):
    """A configuration as its file would have it."""
    d = json.loads(made.to_json_string(use_diff=False))
    drop = {"transformers_version", "architectures", "id2label", "label2id", "return_dict", "_name_or_path",
            "output_hidden_states", "output_attentions", "problem_type", "dtype", "chunk_size_feed_forward",
            "is_encoder_decoder_", "bos_token_id", "eos_token_id", "pad_token_id"}

    def strip(x):
        if isinstance(x, dict):
            return {k: strip(v) for k, v in x.items() if k not in drop}
        return x

    return strip(d)


def main(folder, table, kinds):
    if not kinds:
        kinds = pathlib.Path(__file__).with_name("types.txt").read_text().split()
    jobs = [(f.stem, json.loads(f.read_text()), True) for f in sorted(pathlib.Path(folder).glob("*.json"))]
    jobs += [(k, {"model_type": k}, False) for k in kinds]
    if len(sys.argv) > 3:
        jobs = [j for j in jobs if not j[2]]
    signal.signal(signal.SIGPROF, late)
    with open(table, "w") as out:
        for name, config, there in jobs:
            row = {"name": name}
            signal.setitimer(signal.ITIMER_PROF, 120)
            try:
                if "model_type" not in config:
                    raise ValueError("the file names no model_type")
                model, row["parts"], made = count(config)
                row["class"] = type(model).__name__
                if not there:
                    row["config"] = plain(made)
                try:
                    row["uses"], row["keeps"] = runs.uses_and_keeps(model, stored(model), part)
                except Exception as e:
                    row["unrun"] = f"{type(e).__name__}: {e}".splitlines()[0][:160]
            except Exception as e:
                row["error"] = f"{type(e).__name__}: {e}".splitlines()[0][:200]
            signal.setitimer(signal.ITIMER_PROF, 0)
            print(name, row.get("error") or sum(row["parts"].values()), file=sys.stderr, flush=True)
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
            out.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
