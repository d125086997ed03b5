package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// Lighthouse judges pages under the Apache licence. This project carries no copy: npm gets one into the cache.
const (
	lighthouseVersion = "12.8.2"
	lighthouseCache   = ".cache/lighthouse-" + lighthouseVersion
	lighthouseRuns    = 3 // the score for speed depends on the machine's mood
)

// categories are what Lighthouse judges, and what it must say at least.
var categories = []struct {
	id, name string
	least    float64
}{
	{"performance", "performance", 95},
	{"accessibility", "accessibility", 100},
	{"best-practices", "best practices", 100},
	{"seo", "findability", 100},
}

// audit prints Lighthouse's scores of a page as a phone shows it, or in one line why there are none.
func audit(ctx context.Context, url, page string) {
	scores, err := runLighthouse(ctx, url+strings.TrimSuffix(page, "index.html"))
	if err != nil {
		fmt.Printf("Lighthouse: skipped, %v\n", err)
		return
	}
	for _, c := range categories {
		got := quantile(scores[c.id], 0.5)
		line(
			fmt.Sprintf(
				"Lighthouse %s, phone, /%s: %s, median of %d",
				lighthouseVersion,
				strings.TrimSuffix(page, "index.html"),
				c.name,
				lighthouseRuns,
			),
			fmt.Sprintf("%.0f", got),
			fmt.Sprintf("at least %.0f", c.least),
			got >= c.least,
		)
	}
}

// runLighthouse runs Lighthouse a few times; the scores are those of each run, by category.
func runLighthouse(ctx context.Context, url string) (map[string][]float64, error) {
	chrome, err := browser.Find()
	if err != nil {
		return nil, err
	}
	program, err := lighthouse(ctx)
	if err != nil {
		return nil, err
	}
	scores := map[string][]float64{}
	for range lighthouseRuns {
		if err := runLighthouseOnce(ctx, program, chrome, url, scores); err != nil {
			return nil, err
		}
	}
	return scores, nil
}

func runLighthouseOnce(ctx context.Context, program, chrome, url string, scores map[string][]float64) error {
	var names []string
	for _, c := range categories {
		names = append(names, c.id)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "node", program, url, "--quiet", "--output=json", "--form-factor=mobile",
		"--only-categories="+strings.Join(names, ","), "--chrome-flags=--headless=new --no-sandbox --disable-gpu")
	run.Env = append(os.Environ(), "CHROME_PATH="+chrome)
	var out, complaint bytes.Buffer
	run.Stdout, run.Stderr = &out, &complaint
	if err := run.Run(); err != nil {
		return fmt.Errorf("%w: %.300s", err, lastLine(complaint.String()))
	}
	var report struct {
		Categories map[string]struct{ Score *float64 }
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		return fmt.Errorf("what it printed is no report: %w", err)
	}
	for _, name := range names {
		c, ok := report.Categories[name]
		if !ok || c.Score == nil {
			return errors.New("it gave no score for " + name)
		}
		scores[name] = append(scores[name], math.Round(*c.Score*100))
	}
	return nil
}

// lighthouse is the path of the program, which npm installs if it isn't there.
func lighthouse(ctx context.Context) (string, error) {
	program := filepath.Join(lighthouseCache, "node_modules", "lighthouse", "cli", "index.js")
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", errors.New("there is no " + tool + " to run it with")
		}
	}
	if err := os.MkdirAll(lighthouseCache, 0o755); err != nil {
		return "", err
	}
	install := exec.CommandContext(
		ctx,
		"npm",
		"install",
		"--silent",
		"--no-audit",
		"--no-fund",
		"--ignore-scripts",
		"--prefix",
		lighthouseCache,
		"lighthouse@"+lighthouseVersion,
	)
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm can't get it: %w %s", err, lastLine(string(out)))
	}
	return program, nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
