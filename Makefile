# `make demo` and `make test` are for everybody; the rest is for those who build Tenbin.
.PHONY: help demo check test test-all bench storm fuzz fmt dist

help:
	@echo 'make demo      compare two settings of SQLite, no server needed'
	@echo 'make test      install what the tests need (as root on Debian) and run the acceptance of every capability on real servers'
	@echo 'make check     format, lints, unit tests, complete runs in the fake world: no server, nothing installed but the test runner'
	@echo 'make test-all  everything: the two above, documentation, every other test'
	@echo 'make bench     paired measurements against the real peers (GO_TPC=path/to/go-tpc TPCC_MYSQL=folder for TPC-C, RAY=HOST:PORT for load hosts)'
	@echo 'make storm     faults and attacks at random for a minute (TENBIN_STORM_S=3600 for an hour, TENBIN_STORM_SEED=N to repeat)'
	@echo 'make fuzz      every fuzz target for a minute (SECONDS_EACH=60)'
	@echo 'make fmt       format the code'
	@echo 'make dist      packages, archives, a wheel and an image in dist/ (FORMS="gnu deb" for some of them; the head of tools/dist.sh lists them)'

demo:
	bash tools/demo.sh

check:
	bash tools/test.sh check

test:
	bash tools/test.sh test

test-all:
	bash tools/test.sh all

bench:
	cargo build --release -p tenbin-cli -p tenbin-null-server
	cargo run --release -p tenbin-bench -- --publish $(if $(GO_TPC),--go-tpc $(GO_TPC)) $(if $(TPCC_MYSQL),--tpcc-mysql $(TPCC_MYSQL)) $(if $(RAY),--ray $(RAY))

storm:
	cargo build --workspace --no-default-features --bins --test storm
	TENBIN_STORM_S=$${TENBIN_STORM_S:-60} cargo test --workspace --no-default-features --test storm -- --nocapture

fuzz:
	bash tools/fuzz.sh

fmt:
	cargo fmt --all

dist:
	bash tools/dist.sh $(FORMS)
