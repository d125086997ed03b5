// The estimation core of Scalebook, for Node and for browsers. It is WebAssembly, started at the first question.
const here = new URL("./", import.meta.url);

/** What the core can't answer: its message says what is wrong and what would be right. */
export class ScalebookError extends Error {
  name = "ScalebookError";
}

let started;
function core() {
  return (started ??= start().catch((err) => { started = undefined; throw err; }));
}

async function start() {
  await import("./wasm_exec.js"); // Go's own; it defines globalThis.Go
  const go = new globalThis.Go();
  const { instance } = await instantiate(new URL("core.wasm", here), go.importObject);
  const before = globalThis.scalebookCore;
  const given = new Promise((done) => { globalThis.scalebookCore = done; });
  const ended = go.run(instance).then(() => { throw new ScalebookError("the estimation core stopped"); });
  ended.catch(() => {});
  const ask = await Promise.race([given, ended]);
  if (before === undefined) delete globalThis.scalebookCore;
  else globalThis.scalebookCore = before;
  return ask;
}

async function instantiate(url, imports) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.instantiate(await readFile(url), imports);
  }
  const response = await fetch(url);
  if (!response.ok) throw new ScalebookError(`${url}: ${response.status}`);
  return WebAssembly.instantiate(await response.arrayBuffer(), imports);
}

async function ask(question, request) {
  const reply = JSON.parse((await core())(question, JSON.stringify(request)));
  if (reply.error !== undefined) throw new ScalebookError(reply.error);
  return reply;
}

// text is a model as the core takes it: a name, the text of a configuration, or one that has been parsed.
const text = (model) => (typeof model === "string" ? model : JSON.stringify(model));

export const evaluate = (sheet, inputs = {}) => ask("evaluate", { sheet, inputs });
export const model = (config, options = {}) => ask("model", { ...options, model: text(config) });
export const plan = (options) => ask("plan", { ...options, model: text(options?.model) });
