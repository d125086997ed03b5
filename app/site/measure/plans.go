package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/site/browser"
	"github.com/scalebook/scalebook/app/training"
)

// largeJob is the planner's page with a model of experts on 16,384 chips.
const largeJob = "training-planner/?training.m=deepseek.v3&training.N=16384&training.B=67108864&training.T=4096" +
	"#training"

// search asks for every schedule, policy and sharding, or for the usual ones again, waits for the end of the search,
// and says how long it took, how many plans it priced and for how long the page did not answer at the most.
const search = `new Promise((done) => {
	const box = document.querySelector('#training input[type=checkbox][name="all"]');
	const busy = () => document.querySelector("#training [data-task]");
	const priced = () => +document.querySelector('#training output[data-name="priced"]').dataset.value;
	const before = priced(), began = performance.now();
	let longest = 0, last = began;
	box.click();
	(function look() {
		const now = performance.now();
		longest = Math.max(longest, now - last);
		last = now;
		if (!busy() && priced() > 0 && priced() !== before) return done({Took: now - began, Priced: priced(),
			Longest: longest});
		setTimeout(look, 1);
	})();
})`

// searched is what the script says, in milliseconds.
type searched struct{ Took, Priced, Longest float64 }

// plans measures how many plans of training are priced a second, natively on one processor and in the page.
func plans(b *browser.Browser, url string) error {
	const natively, inPage, calculon = 300_000, 292_000, 292
	rate, err := pricedNatively()
	if err != nil {
		return err
	}
	line("plans of training priced a second, natively", fmt.Sprintf("%.0f", rate), fmt.Sprint(natively),
		rate >= natively)
	t, err := b.Tab(browser.Options{})
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.Go(url + largeJob); err != nil {
		return err
	}
	if _, err := browser.Eval[bool](t, awaken); err != nil {
		return err
	}
	if err := t.Wait(time.Minute, allLive+` && !document.querySelector("#training [data-task]")`); err != nil {
		return err
	}
	every, err := browser.Eval[searched](t, search)
	if err != nil {
		return err
	}
	usual, err := browser.Eval[searched](t, search)
	if err != nil {
		return err
	}
	rate = every.Priced / every.Took * 1000
	line(fmt.Sprintf("  in the page, %.0f plans of experts on 16,384 chips (%.0f times Calculon)", every.Priced,
		rate/calculon), fmt.Sprintf("%.0f", rate), fmt.Sprint(inPage), rate >= inPage)
	line(fmt.Sprintf("  the search among the usual ones of them, %.0f plans", usual.Priced),
		fmt.Sprintf("%.2f s", usual.Took/1000), "3 s", usual.Took <= 3000)
	longest := max(every.Longest, usual.Longest)
	line("  the page did not answer for at most", fmt.Sprintf("%.0f ms", longest), "100 ms", longest <= 100)
	return nil
}

// pricedNatively is how many plans are priced a second, without bounds that leave any out.
func pricedNatively() (float64, error) {
	known, err := model.Catalog().Get("deepseek.v3")
	if err != nil {
		return 0, err
	}
	chip, err := hardware.Catalog().Get("gpu.h100")
	if err != nil {
		return 0, err
	}
	j := training.Job{Model: &known.Model, Devices: 16384, Batch: 16384, Sequence: 4096,
		Recipe: training.RecipeOf("megatron", training.BF16, false)}
	if j.Device, err = training.NewDevice(chip); err != nil {
		return 0, err
	}
	if j.Stack, err = training.StackNamed("megatron"); err != nil {
		return 0, err
	}
	p := training.NewEstimator(j)
	began := time.Now()
	found := p.Find(training.Search{Space: p.Whole(), Exhaust: true})
	return float64(found.Estimated) / time.Since(began).Seconds(), nil
}

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
	line(fmt.Sprintf("  its longest task meanwhile, of %.0f over 50 ms", read.Tasks),
		fmt.Sprintf("%.0f ms", read.Longest), "100 ms", read.Longest <= 100)
	return nil
}
