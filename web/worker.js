// A worker reads a long document beside its page. It runs the page's own program, which finds here what it is to do and
// posts how far it is: see app/widget/browser/shorten.go. The page ends it.
addEventListener("message", async ({ data }) => {
  try {
    self.job = data;
    importScripts(data.exec);
    const go = new Go();
    const program = await (await fetch(data.program)).arrayBuffer();
    await go.run((await WebAssembly.instantiate(program, go.importObject)).instance);
    throw new Error("the program ended"); // it waits for its end once it has posted what it found
  } catch (err) { postMessage({ failed: String(err) }); }
}, { once: true });
