// A worker reads a long document beside its page, or helps with a long search. It runs the page's own program, which
// finds here what it is to do: see Work in app/widget/browser. The page ends it.
addEventListener(
  "message",
  async ({ data }) => {
    try {
      self.job = data;
      importScripts(data.exec);
      const go = new Go();
      const program = data.module ?? (await WebAssembly.compile(await (await fetch(data.wasm)).arrayBuffer()));
      await go.run(await WebAssembly.instantiate(program, go.importObject));
      throw new Error("the program ended"); // it waits for its end once it has posted what it found
    } catch (err) {
      postMessage({ failed: String(err) });
    }
  },
  { once: true },
);
