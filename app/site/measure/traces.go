package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// dropTrace makes a trace of 50 MB, drops it on the page, waits until it is read, and says how long that took, and the
// longest task of the page meanwhile.
const dropTrace = `new Promise((done) => {
	const head = '{"traceEvents":[{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:TPU:0"}},' +
		'{"ph":"M","pid":1,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},' +
		'{"ph":"M","pid":1,"tid":4,"name":"thread_name","args":{"name":"Async XLA Ops"}}';
	const parts = [head];
	let events = 3;
	for (let size = head.length; size < 50e6; events++) {
		const n = events % 5000, line = '%fusion.' + n + ' = bf16[1024]{0} fusion(bf16[1024]{0} %p)';
		const args = {hlo_category: "loop fusion", long_name: line};
		const part = ",\n" + JSON.stringify({ph: "X", pid: 1, tid: 3 + events % 2, name: "fusion." + n,
			ts: events * 10 + 0.25, dur: 5 + events % 7, args});
		parts.push(part);
		size += part.length;
	}
	parts.push("]}");
	const file = new File(parts, "own.json"), field = document.querySelector("#dropped .input-document");
	const read = () => document.querySelector('#dropped output[data-name="devices"]').dataset.value === "1" &&
		!document.querySelector("#dropped [data-task]");
	let longest = 0, tasks = 0, seen = false;
	new PerformanceObserver((list) => {
		for (const task of list.getEntries()) longest = Math.max(longest, task.duration), tasks++;
	}).observe({entryTypes: ["longtask"]});
	const given = new DataTransfer();
	given.items.add(file);
	setTimeout(() => {
		const began = performance.now();
		field.dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: given}));
		(function look() {
			seen ||= !!document.querySelector("#dropped [data-task]");
			if (seen && read())
				return done({Took: performance.now() - began, Longest: longest, Tasks: tasks, Events: events});
			setTimeout(look, 100);
		})();
	}, 1000);
})`

// readTrace is what the script says, in milliseconds.
type readTrace struct{ Took, Longest, Tasks, Events float64 }

// traces measures how long a large trace takes to be read in the page, and its longest task meanwhile.
func traces(b *browser.Browser, url string) error {
	t, err := b.Tab(browser.Options{})
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.Go(url + "profiling/"); err != nil {
		return err
	}
	if _, err := browser.Eval[bool](t, strings.Replace(awaken, "section.sheet", "#dropped", 1)); err != nil {
		return err
	}
	if err := t.Wait(time.Minute, `document.documentElement.dataset.live === "1"`); err != nil {
		return err
	}
	read, err := browser.Eval[readTrace](t, dropTrace)
	if err != nil {
		return err
	}
	line(fmt.Sprintf("a trace of 50 MB, %.0f events, is read in the page", read.Events),
		fmt.Sprintf("%.1f s", read.Took/1000), "", true)
	line(fmt.Sprintf("  its longest task meanwhile, of %.0f over 50 ms", read.Tasks), fmt.Sprintf("%.0f ms", read.Longest),
		"100 ms", read.Longest <= 100)
	return nil
}
