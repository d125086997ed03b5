// The program comes in modules, which wasm/build/split.go explains. This follows Go's own script in one file and lets
// its class run such a program: the first later module is fetched once the first calculator runs, each other one,
// with those before it, when one of its functions is called. The program pauses then, and what happens meanwhile
// happens to it later.
{
  const script = self.document?.currentScript?.src ?? self.job.exec; // in a page or in a worker
  const urls = ["module1.wasm", "module2.wasm", "module3.wasm"].map(
    (name) => new URL(name, new URL(script, location.href)).href,
  );

  self.Go = class extends self.Go {
    run(primary) {
      const program = primary.exports;
      if (!program.missing) return super.run(primary); // in one piece
      let depth = 0; // how many calls into the program are open: Go calls scripts, which call Go
      let missed; // what happened while the program was paused
      let linked = 0,
        fail; // how many later modules are there
      const failed = new Promise((_, reject) => {
        fail = reject;
      });

      const get = async (url) => {
        const response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
        if (!response.ok) throw new Error(`${url}: ${response.status}`);
        return response;
      };
      const compile = async (url) => {
        try {
          return await WebAssembly.compileStreaming(get(url));
        } catch {
          return WebAssembly.compile(await (await get(url)).arrayBuffer());
        } // of another type: asked again
      };
      const coming = [];
      // Fetches that many modules at once, and links them one after the other.
      const load = async (count) => {
        for (let i = linked; i < count; i++) {
          coming[i] ??= compile(urls[i]);
          coming[i].catch(() => {
            coming[i] = undefined;
          });
        }
        for (let i = linked; i < count; i++) {
          const module = await coming[i];
          await WebAssembly.instantiate(module, { p: program });
          linked = Math.max(linked, i + 1);
        }
      };

      // Where a script that Go called calls Go, there is no way back to the browser to wait; so the browser waits. So
      // it does while go-app starts: until Go gives the page its storage back, no other script may run.
      const alone = () => depth > 1 || Object.getOwnPropertyDescriptor(self, "localStorage")?.value?.hidden;
      const linkNow = () => {
        for (; linked < program.missing.value; linked++) {
          const request = new XMLHttpRequest();
          request.open("GET", urls[linked], false);
          request.overrideMimeType("text/plain; charset=x-user-defined");
          request.send();
          const bytes = Uint8Array.from(request.responseText, (letter) => letter.charCodeAt() & 255);
          new WebAssembly.Instance(new WebAssembly.Module(bytes), { p: program });
        }
      };
      const again = () => {
        program.missing.value = 0;
        program.again();
      };

      // An event forgets where it was once the browser is done with it; Go will ask later. What a reader changes
      // meanwhile is marked: its results don't belong to it yet.
      const marked = new Set();
      const keep = (called) => {
        const event = called?.args[0];
        if (!(event instanceof Event)) return;
        const path = event.composedPath();
        Object.defineProperties(event, {
          currentTarget: { value: event.currentTarget, configurable: true },
          target: { value: event.target, configurable: true },
          composedPath: { value: () => path, configurable: true },
        });
        if (event.type === "input" || event.type === "change") {
          const { value, checked } = path[0];
          called.typed = { field: path[0], value, checked };
        }
        const sheet = event.type === "input" && path.find((e) => e.matches?.("section.sheet[data-live]"));
        if (!sheet) return;
        marked.add(sheet);
        sheet.toggleAttribute("data-awaiting", true);
      };
      // What was typed meanwhile stands in its field again when Go hears of it: what came before may have written
      // there.
      const retype = (typed) => {
        if (!typed || typed.field.type === "file") return;
        const { field, value, checked } = typed;
        if (field.value !== value) field.value = value;
        if (field.checked !== checked) field.checked = checked;
      };
      const pause = async () => {
        missed = [];
        const untaken = this._pendingEvent; // by Go; a timeout meanwhile must not find it
        this._pendingEvent = null;
        const timeouts = this._scheduledTimeouts;
        this._scheduledTimeouts = new Map(); // a timeout is tried until Go has taken it, which it can't now
        await load(program.missing.value);
        const events = missed;
        missed = undefined;
        this._scheduledTimeouts = timeouts;
        this._pendingEvent = untaken;
        open(again);
        if (this.exited) this._resolveExitPromise();
        for (const next of events) {
          retype(next?.typed);
          this._pendingEvent = next;
          this._resume();
        }
        for (const sheet of marked) sheet.toggleAttribute("data-awaiting", false);
        marked.clear();
      };
      const open = (call) => {
        depth++;
        try {
          call();
          while (program.missing.value && alone()) {
            linkNow();
            again();
          }
        } finally {
          depth--;
        }
        if (program.missing.value && !depth) pause().catch(fail);
      };
      const enter =
        (name) =>
        (...given) => {
          const event = this._pendingEvent;
          if (missed) {
            missed.push(event);
            this._pendingEvent = null;
          } else open(() => program[name](...given));
          if (missed) keep(event);
        };
      const exports = { ...program, run: enter("run"), resume: enter("resume") };
      const running = super.run(Object.create(primary, { exports: { value: exports } }));
      // What fails here is asked for again when it is needed.
      const prefetch = () => load(self.document?.getElementById("pad-text") ? urls.length : 1).catch(() => {});
      setTimeout(prefetch, self.document ? 1000 : 0); // in a worker, or where calculators live in a shadow
      if (self.document) {
        const first = new MutationObserver(() => {
          first.disconnect();
          prefetch();
        });
        first.observe(document, { subtree: true, attributeFilter: ["data-live"] });
      }
      return Promise.race([running, failed]);
    }
  };
}
