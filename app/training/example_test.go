package training_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/training"
)

// job is a step of 512 sequences of a Llama 3.1 8B on 64 H100s, as Megatron-LM keeps its state.
func job() training.Job {
	m, _ := model.Catalog().Get("llama3.8b")
	chip, _ := hardware.Catalog().Get("gpu.h100")
	device, _ := training.NewDevice(chip)
	stack, _ := training.StackNamed("megatron")
	return training.Job{Model: &m.Model, Device: device, Stack: stack, Devices: 64, Batch: 512, Sequence: 8192,
		Recipe: training.RecipeOf(stack.Family, training.BF16, false)}
}

// The memory of a plan, by part: 16 bytes and a bit for each weight, the optimizer's share split over 64 ranks.
func Example() {
	j := job()
	var state training.State
	plan, err := state.ReadTyped("dp=32,tp=2,mbs=1,zero=1", j.Devices)
	if err != nil {
		fmt.Println(err)
		return
	}
	estimate := training.NewEstimator(j).Estimate(plan)
	for _, part := range estimate.Memory.Parts() {
		switch part.Name {
		case "weights", "gradients", "master weights", "moments":
			fmt.Printf("%s: %.1f GB\n", part.Name, part.Value/1e9)
		}
	}
	// Output:
	// weights: 8.0 GB
	// gradients: 16.1 GB
	// master weights: 0.5 GB
	// moments: 1.0 GB
}

// What doesn't divide is said with its numbers.
func ExampleEstimator_Legal() {
	j := job()
	var state training.State
	plan, _ := state.ReadTyped("dp=64,mbs=3", j.Devices)
	fmt.Println(training.NewEstimator(j).Legal(plan))
	// Output:
	// DP 64 x microbatch 3 = 192 doesn’t divide a batch of 512 sequences; choose numbers that do
}

// A search is exact: no legal plan of its space is faster than the first.
func ExampleEstimator_Find() {
	estimator := training.NewEstimator(job())
	found := estimator.Find(training.Search{Space: estimator.Usual(), Top: 3})
	fmt.Println(len(found.Best), "plans, in the order of their times:",
		found.Best[0].Time.Step() <= found.Best[1].Time.Step() &&
			found.Best[1].Time.Step() <= found.Best[2].Time.Step())
	// Output:
	// 3 plans, in the order of their times: true
}
