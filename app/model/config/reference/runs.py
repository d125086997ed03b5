"""Runs models on the meta device, where nothing is computed, and counts what a token uses and what a cache keeps."""

import torch
from torch.overrides import TorchFunctionMode

# A length below every window; and two, of layers that make one entry of several tokens, with whole entries of each.
BELOW = 16
ENTRIES = (256, 512)


class Touched(TorchFunctionMode):
    """Notes which tensors any function is given, and so which parameters a model uses."""

    def __init__(self):
        super().__init__()
        self.ids = set()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if not isinstance(result, (int, torch.Size, torch.dtype, torch.device)):  # what asks for a shape uses nothing
            self.note(args)
            self.note(list(kwargs.values()))
        return result

    def note(self, values):
        for v in values:
            if isinstance(v, torch.Tensor):
                self.ids.add(id(v))
            elif isinstance(v, (list, tuple)):
                self.note(v)


def choices(model):
    """For the id of each parameter of routed experts how many of how many experts a token uses, as it is run."""
    found, hooks = {}, []

    def seen(module, args, kwargs):
        for x in list(args) + list(kwargs.values()):
            if isinstance(x, torch.Tensor) and x.dtype in (torch.int64, torch.int32) and x.dim() == 2:
                mark(module, x.shape[-1])
                return

    def mark(module, k):
        for p in module.parameters():
            if p.dim() > 1:
                found[id(p)] = (k, len(module) if isinstance(module, torch.nn.ModuleList) else p.shape[0])

    for name, module in model.named_modules():
        if name.rsplit(".", 1)[-1] == "experts":
            hooks.append(module.register_forward_pre_hook(seen, with_kwargs=True))
    return found, hooks


def stated(model):
    """The same by what blocks say of themselves, where no indices are passed to the experts."""
    found = {}
    for module in model.modules():
        k = getattr(module, "top_k", None)
        for inner in ([module] if isinstance(k, int) else []):
            for owner in [inner] + [getattr(inner, n) for n in ("input_linear", "output_linear", "experts")
                                    if hasattr(inner, n)]:
                n = getattr(owner, "num_experts", None)
                for p in owner.parameters() if n else []:
                    if p.dim() == 3 and p.shape[0] == n:
                        found[id(p)] = (k, n)
    return found


def run(model, length):
    with torch.no_grad():
        ids = torch.zeros(1, length, dtype=torch.long, device="meta")
        return model(input_ids=ids, use_cache=True).past_key_values


def first_run(model, touched):
    """Runs what of a model runs on the meta device: it, or the text's part of it, without experts if need be, whose
    programs look at values. What isn't run, and is in use, counts as touched."""
    errors = []
    for whole in (True, False):
        inner = model if whole else model.get_decoder()
        for experts in (True, False):
            if not experts:
                for name, module in inner.named_modules():
                    if name.rsplit(".", 1)[-1] == "experts":
                        module.forward = lambda x, *rest, **more: torch.empty_like(x)
                        touched.ids.update(id(p) for p in module.parameters())
            try:
                with touched:
                    cache = run(inner, BELOW)
            except Exception as e:  # another way may do
                errors.append(f"{type(e).__name__}: {e}".splitlines()[0][:160])
                continue
            if not whole and model.get_output_embeddings() is not None:
                touched.ids.update(id(p) for p in model.get_output_embeddings().parameters())
            return inner, cache
    raise ValueError(errors[0])


def elements(x):
    if isinstance(x, torch.Tensor):
        return x.numel()
    if isinstance(x, dict):
        return sum(elements(v) for v in x.values())
    if isinstance(x, (list, tuple)):
        return sum(elements(v) for v in x)
    return 0


def held(cache):
    """The elements that a cache holds, by what they are."""
    sums = {}
    for layer in cache.layers:
        kind = "window" if getattr(layer, "sliding_window", None) else "full"
        kept = {kind: (layer.keys, layer.values) if hasattr(layer, "keys") else ()}
        if kind == "window" and hasattr(layer, "compressed_kv"):  # keys are values too
            kept[kind] = layer.keys
            kept["entries"] = layer.compressed_kv.get("compressor")
            kept["index"] = layer.compressed_kv.get("indexer")
        elif hasattr(layer, "indexer_keys"):
            kept["index"] = layer.indexer_keys
        kept["conv"] = getattr(layer, "conv_states", None)
        kept["state"] = getattr(layer, "recurrent_states", None)
        for key, x in kept.items():
            sums[key] = sums.get(key, 0) + elements(x)
    if hasattr(cache, "linear_cache"):  # MiniMax's are beside the layers
        sums["state"] = sums.get("state", 0) + elements(cache.linear_cache)
    return sums


def uses_and_keeps(model, stored, part):
    """Parameters that a token uses, of the parts of which it doesn't use all, and bytes that caches keep: for one more
    token in bf16, below windows; and elements of states, however long a sequence is."""
    model.eval()
    chosen, hooks = choices(model)
    touched = Touched()
    inner, short = first_run(model, touched)
    kept, keeps = held(short), {}
    for layer in short.layers:
        if 0 < (getattr(layer, "sliding_window", None) or 0) <= BELOW:
            raise ValueError("a window of few tokens")
    for key, n in kept.items():
        if key in ("conv", "state"):
            keeps[key] = n
        elif key != "entries" and not (key == "index" and "entries" in kept):
            keeps[key] = 2 * n / BELOW  # before the first token a cache is empty
    if any(hasattr(layer, "compressed_kv") for layer in short.layers):
        with touched:
            first, second = (held(run(inner, n)) for n in ENTRIES)
        for key in ("entries", "index"):
            keeps[key] = 2 * (second[key] - first[key]) / (ENTRIES[1] - ENTRIES[0])
    for hook in hooks:
        hook.remove()
    keeps = {k: int(v) if v == int(v) else v for k, v in keeps.items() if v}
    return uses(stored, part, touched.ids, {**stated(model), **chosen}), keeps


def uses(stored, part, touched, chosen):
    all, used, seen = {}, {}, set()
    for name, p in stored:
        if id(p) in seen:
            continue
        seen.add(id(p))
        key, n = part(name, p), p.numel()
        all[key] = all.get(key, 0) + n
        if id(p) not in touched:
            n = 0
        elif id(p) in chosen:
            k, of = chosen[id(p)]
            n = n * k // of
        elif key == "experts":
            raise ValueError(f"nothing says how many experts a token uses: {name}")
        used[key] = used.get(key, 0) + n
    return {k: n for k, n in used.items() if n != all[k] and k not in ("vision", "audio", "speech")}
