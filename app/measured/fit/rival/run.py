"""Predicts rows of closed loops with AIConfigurator, which is called AISimulate since 0.12.

Of AISimulate 0.12.0 to 0.13.0 PyPI has only stubs that fetch the real package from its vendor's registry, and no
source; so this runs AIConfigurator 0.12.0, the last release that PyPI has whole.

make rival runs it. A row is stated as it is: model, system, engine, precision, lengths, requests under way and plan;
what it doesn't state has the tool's defaults. The engine's performance data are the newest that the package has, since
it has no others. Rows that it refuses are counted by what it says.
"""

import collections
import contextlib
import csv
import datetime
import importlib.metadata
import io
import logging
import math
import pickle
import random
import re
import sys
import time
import warnings

SYSTEMS = {"H100-SXM": "h100_sxm", "H200-SXM": "h200_sxm", "B200": "b200_sxm", "B300": "b300_sxm", "GB200": "gb200"}
MODELS = {"meta-llama/Llama-3.1-70B": "meta-llama/Meta-Llama-3.1-70B",
          "meta-llama/Llama-3.1-8B-Instruct": "meta-llama/Meta-Llama-3.1-8B",
          "deepseek-ai/DeepSeek-R1": "deepseek-ai/DeepSeek-V3", "MiniMax-M2.5": "MiniMaxAI/MiniMax-M2.5",
          "Qwen/Qwen3-235B-A22B-FP8": "Qwen/Qwen3-235B-A22B", "Qwen3.5-397B-A17B": "Qwen/Qwen3.5-397B-A17B"}
GEMM = {"fp8": "fp8_block", "fp4": "nvfp4", "bf16": "bfloat16"}
MOE = {"fp8": "fp8_block", "fp4": "nvfp4", "bf16": "bfloat16"}


def whole(text, default=1):
    return int(float(text)) if text else default


def precisions(row):
    """How the row says that weights are stored; nothing where the model's own files tell."""
    if "gpt-oss" in row["model"]:
        return {}
    text = row["precision"]
    if "DeepSeek" in row["model"] or "MiniMax" in row["model"] or "Qwen3" in row["model"]:
        gemm = GEMM.get(text)
    else:
        gemm = {"fp8": "fp8"}.get(text, GEMM.get(text))
    return {"gemm_quant_mode": gemm, "moe_quant_mode": MOE.get(text)} if gemm else {}


def estimate(api, row):
    groups = whole(row["attention_dp"])
    plan = {"tp_size": whole(row["tp"]), "pp_size": whole(row["pp"]), "attention_dp_size": groups}
    plan["moe_ep_size"] = whole(row["moe_ep"])
    plan["moe_tp_size"] = whole(row["moe_tp"], plan["tp_size"] * groups // plan["moe_ep_size"])
    return api.cli_estimate(MODELS.get(row["model"], row["model"]), SYSTEMS[row["device"]],
                            backend_name=row["engine"].split()[0], isl=whole(row["isl"]), osl=whole(row["osl"]),
                            batch_size=math.ceil(whole(row["concurrency"]) / groups), **plan, **precisions(row))


def read_once():
    """The tool reads hundreds of small files for each row, which a parser in Python takes half a minute for."""
    import yaml
    texts = {}

    def load(stream):
        text = stream.read() if hasattr(stream, "read") else stream
        if text not in texts:
            texts[text] = pickle.dumps(yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
        return pickle.loads(texts[text])

    yaml.safe_load = load


def main(table, out, minutes):
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    read_once()
    from aiconfigurator.cli import api
    with open(table, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["mode"] == "agg"]
    random.Random(1).shuffle(rows)  # so that rows predicted in less time than all take are like the others
    refused, predicted, end = collections.Counter(), [], time.monotonic() + 60 * float(minutes)
    for row in rows:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                got = estimate(api, row)
            predicted.append((row["id"], got.ttft, got.tpot))
        except Exception as error:  # whatever the tool refuses, and says why
            refused[type(error).__name__ + ": " + re.sub(r"\s+", " ", str(error))[:90]] += 1
        if time.monotonic() > end:
            break
    version = importlib.metadata.version("aiconfigurator")
    with open(out, "w", encoding="utf-8") as file:
        file.write(f"# aiconfigurator {version} from PyPI (Apache-2.0), run on {datetime.date.today()} with its newest data of"
                   f" each engine: {len(predicted)} rows of serving.tsv where prefill and decode are together, of"
                   f" {len(predicted) + refused.total()} that it was asked, drawn from {len(rows)}; it refused the others\n")
        file.write("id\tttft_ms\ttpot_ms\n")
        for name, ttft, tpot in predicted:
            file.write(f"{name}\t{ttft:.5g}\t{tpot:.5g}\n")
    for why, count in refused.most_common():
        print(count, why, file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
