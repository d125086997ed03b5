/** What the core can't answer: its message says what is wrong and what would be right. */
export class ScalebookError extends Error {}

/** A number, true or false, or a text as a reader of the book types it: "16 GiB", "1k", "tpu.v5p". */
export type Input = string | number | boolean;

/** A row of a sheet. Values are in base units: FLOP, byte, s, USD, J and their quotients. */
export interface Row {
  name: string;
  label: string;
  kind: "input" | "step" | "solve";
  type: "number" | "text" | "bool" | "dtype" | "record" | "list";
  /** Absent where there is an error. */
  value?: unknown;
  /** The base unit, such as "byte/s"; empty for a count. */
  unit: string;
  /** The value as a page of the book prints it. */
  text: string;
  hidden?: boolean;
  error?: string;
}

export interface Rows {
  sheet: string;
  rows: Row[];
}

/** Evaluates a sheet, a text in the book's language of worked estimates. A bare number is in the input's own unit. */
export function evaluate(sheet: string, inputs?: Record<string, Input>): Promise<Rows>;

/** A name of the catalog ("llama3.70b"), a config.json as an object, or the text of a configuration. */
export type ModelSource = string | object;

export interface ModelOptions {
  /** Tokens of a sequence, for what depends on them; 4096 if left out. */
  context?: number;
  /** Of the KV cache; "bf16" if left out. */
  dtype?: string;
}

/** A counted model. */
export interface Model {
  name: string;
  architecture: string;
  family: string;
  context: number;
  dtype: string;
  params_total: number;
  params_active: number;
  params_active_without_input_embedding: number;
  kv_bytes_per_token: number;
  index_bytes_per_token?: number;
  state_bytes_per_sequence?: number;
  /** FLOP of training a token, causal, in windows. */
  flops_per_token_train: number;
  /** Parameters by part. */
  parts: Record<string, number>;
  /** Parameters beside the language model, by field. */
  apart?: Record<string, number>;
  ignored: string[];
  missing: string[];
  doubts: string[];
  notes: { list: "understood" | "ignored" | "unknown" | "missing" | "doubts"; field: string; text: string }[];
}

/** Counts a model: parameters, KV cache, operations for each token, and what of its configuration was understood. */
export function model(config: ModelSource, options?: ModelOptions): Promise<Model>;

export interface PlanOptions {
  model: ModelSource;
  /** "h100", "gpu.h100", "tpu.v5p" and the like. */
  chip: string;
  chips: number;
  /** Tokens in a step; 4194304 if left out. */
  batch?: number;
  /** Tokens in a sequence; 8192 if left out. */
  sequence?: number;
  dtype?: "bf16" | "fp8" | "fp4";
  /** The software whose constants are taken, such as "megatron" or "megatron-2021". */
  stack?: string;
  by?: "time" | "memory";
  /** How many plans; 10 if left out. */
  top?: number;
  maxTP?: number;
  /** Share of the memory to leave free. */
  margin?: number;
  /** Every schedule, policy and sharding, not only the usual ones. */
  all?: boolean;
  /** Judge this plan instead: "dp=64,tp=8,pp=2,mbs=1,zero=1". */
  plan?: string;
  /** Judge the run of these settings instead: the text of flags, YAML, TOML or JSON of a tool that trains. */
  settings?: string;
  /** What learns and how its state is kept: "learn=lora,rank=16,optimizer=adamw8bit". */
  state?: string;
  /** Constants of the software as measured: { show_dp: "50%" }. */
  constants?: Record<string, string>;
  /** Seconds that the search may take; 60 if left out. */
  limit?: number;
}

/** What a group of devices exchanges in a step. */
export interface Exchange {
  what: string;
  /** TP, CP, EP, PP, DP, or expert DP for replicas of experts. */
  group: string;
  /** How many take part, and how far apart they stand. */
  ranks: number;
  stride: number;
  inside_domain: boolean;
  /** How often in a step. */
  times: number;
  /** That each rank sends each time. */
  bytes: number;
  bandwidth_B_s: number;
  /** Seconds of the step that all of it takes, and of that which nothing hides. */
  time_s: number;
  shown_s: number;
}

/** A plan of training with its price. */
export interface Plan {
  model: string;
  chip: string;
  chips: number;
  /** Sequences in a step. */
  batch: number;
  sequence: number;
  dtype: string;
  software: string;
  dp: number;
  tp: number;
  pp: number;
  cp: number;
  ep: number;
  mbs: number;
  vp: number;
  schedule: string;
  zero: number;
  recompute: string;
  context: string;
  etp: number;
  shard?: number;
  first_stage_layers?: number;
  last_stage_layers?: number;
  /** As the option plan takes it. */
  plan: string;
  /** What was said of the state, as the option state takes it. */
  state?: string;
  /** What of it the software can't run. */
  lacks?: string;
  stage_layers: number[];
  /** Seconds: low, middle, high. */
  step_time_s: [number, number, number];
  tokens_per_s_per_device: number;
  mfu_pct: number;
  /** Of the fullest device, in 10^9 byte. */
  memory_GB: number;
  usd_per_million_tokens?: number;
  time_parts_s: Record<string, number>;
  memory_parts_GB: Record<string, number>;
  /** Who sends what to whom in a step, on the slowest stage. */
  exchanges: Exchange[];
  read_as?: string;
  without?: string[];
  not_known?: string[];
  /** Settings that name variables which nothing sets, with what is taken. */
  not_said?: string[];
}

export interface Plans {
  /** The best first, then those that would be among them and the software can't run (lacks). */
  plans: Plan[];
  /** False only for a plan that was given and needs more memory than there is. */
  fits: boolean;
}

/** Finds the best plans to train a model, exactly, or judges the plan or the settings that are given. */
export function plan(options: PlanOptions): Promise<Plans>;
