# The first program of the chapter on profiles: an MLP on eight devices. Run with JAX 0.10.2 and libtpu 0.0.42 from PyPI
#
#   XLA_FLAGS=--xla_force_host_platform_device_count=8 python mlp.py
#
# it writes beside itself mlp.hlo, what XLA makes of it for eight chips of a TPU v5e (libtpu compiles without a TPU), and
# mlp.trace.json, one step as JAX’s profiler records it on eight devices that JAX makes of a CPU. Times differ from run
# to run; names don’t.
import glob
import gzip
import json
import os
import re
import tempfile

os.environ.update(TPU_SKIP_MDS_QUERY="1", TPU_ACCELERATOR_TYPE="v5litepod-8", TPU_WORKER_HOSTNAMES="localhost",
                  TPU_WORKER_ID="0", JAX_PLATFORMS="cpu,tpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import topologies
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

here = os.path.dirname(os.path.abspath(__file__))
specs = P("X", None), P(None, "Y"), P("Y", None)


def step(mesh):
    """The program of the page, for a mesh."""
    @jax.jit
    def mlp(x, w_in, w_out):
        y = x + jax.nn.relu(x @ w_in) @ w_out
        return jax.lax.with_sharding_constraint(y, NamedSharding(mesh, specs[0]))
    return mlp


def compiled():
    chips = topologies.get_topology_desc("v5e:2x4", platform="tpu").devices
    mesh = Mesh(np.array(chips).reshape(4, 2), ("X", "Y"))
    shapes = (8192, 4096), (4096, 16384), (16384, 4096)
    arrays = [jax.ShapeDtypeStruct(s, jnp.bfloat16, sharding=NamedSharding(mesh, p)) for s, p in zip(shapes, specs)]
    text = step(mesh).lower(*arrays).compile().as_text()
    text = re.sub(r", (metadata|backend_config|frontend_attributes)=\{.*", "", text)
    text = re.sub(r"\n(FileNames|FunctionNames|FileLocations|StackFrames)\n(.+\n)*", "", text)
    said = "// Compiled by XLA for eight chips of a TPU v5e: JAX 0.10.2, libtpu 0.0.42, mlp.py beside this file. Left out are\n" \
        "// metadata and configurations of the backend.\n"
    head, rest = text.split("\n", 1)
    return head + "\n\n" + said + rest.rstrip() + "\n"


def recorded():
    auto = (AxisType.Auto, AxisType.Auto)
    mesh = jax.make_mesh((4, 2), ("X", "Y"), axis_types=auto, devices=jax.devices("cpu"))
    shapes = (2048, 1024), (1024, 4096), (4096, 1024)
    arrays = [jax.device_put(jnp.ones(s, jnp.float32), NamedSharding(mesh, p)) for s, p in zip(shapes, specs)]
    mlp = step(mesh)
    mlp(*arrays).block_until_ready()
    with tempfile.TemporaryDirectory() as into:
        with jax.profiler.trace(into):
            mlp(*arrays).block_until_ready()
        with gzip.open(glob.glob(into + "/**/*.trace.json.gz", recursive=True)[0]) as f:
            events = json.load(f)["traceEvents"]
    ops = [e for e in events if "hlo_op" in e.get("args", {}) and not e["name"].startswith("end: ")]
    first = min(e["ts"] for e in ops)
    threads = sorted({e["tid"] for e in ops})
    kept = [{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/host:CPU"}}]
    for e in sorted(ops, key=lambda e: e["ts"]):
        kept.append({"ph": "X", "pid": 1, "tid": threads.index(e["tid"]) + 1, "name": e["name"],
                     "ts": round(e["ts"] - first, 3), "dur": round(e["dur"], 3),
                     "args": {n: e["args"][n] for n in ("device_ordinal", "hlo_module", "hlo_op")}})
    lines = ",\n".join(json.dumps(e, separators=(",", ":")) for e in kept)
    said = "One step of mlp.py beside this file, as JAX 0.10.2 recorded it on eight devices made of a CPU with two cores. " \
        "Kept are the operations of the program, with their devices."
    return '{"source":' + json.dumps(said) + ',\n"displayTimeUnit":"ns","traceEvents":[\n' + lines + "\n]}\n"


with open(here + "/mlp.hlo", "w") as f:
    f.write(compiled())
with open(here + "/mlp.trace.json", "w") as f:
    f.write(recorded())
