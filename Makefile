# Two commands for a fresh clone: `make demo` and `make test`. They need Node 20 or later, npm, git and make.

NODE = node_modules/.bin/node

.PHONY: help demo test check install build
.DELETE_ON_ERROR:

help:
	@echo "make demo     install, start the service and take a sample from an instruction to a pull request and to its readers"
	@echo "make test     install, run every check and every test"
	@echo "make check    types, lint, format, dead code, generated files"
	@echo "make build    install, and build the dashboard, when something of it changed"
	@echo "make install  install the dependencies, when they changed"

demo: build
	@$(NODE) scripts/demo.ts

test: build
	@npm run --silent check
	@npm test --silent

check: install
	@npm run --silent check

install: node_modules/.package-lock.json

build: dashboard/dist/index.html

dashboard/dist/index.html: node_modules/.package-lock.json $(shell find dashboard sdk/src -name node_modules -prune -o -name dist -prune -o -type f -print)
	@echo "Building the dashboard ..."
	@npm run --silent build -- --logLevel warn

# npm writes this file last, so it is older than the lock file exactly when something changed or an install broke off.
node_modules/.package-lock.json: package-lock.json
	@command -v npm >/dev/null 2>&1 || { echo "Docent needs Node 20 or later with npm: https://nodejs.org" >&2; exit 1; }
	@command -v git >/dev/null 2>&1 || { echo "Docent needs git: https://git-scm.com" >&2; exit 1; }
	@echo "Installing the dependencies (a minute or so on a first run) ..."
	@npm ci --no-audit --no-fund --no-progress --loglevel=error
	@test -x $(NODE) || { echo "npm did not install Node 24 for this repository: it runs with ignore-scripts. Run: npm rebuild node --ignore-scripts=false" >&2; exit 1; }
	@touch $@
