# The two commands are `make demo` and `make test`; the rest is for those who build Tenbin.
.PHONY: help demo test bench fuzz fmt

help:
	@echo 'make demo   weigh two settings of SQLite, no server needed'
	@echo 'make test   install what the tests need (as root on Debian) and run every check'
	@echo 'make bench  paired measurements against the real peers (GO_TPC=path/to/go-tpc TPCC_MYSQL=folder for TPC-C)'
	@echo 'make fuzz   every fuzz target for a minute (SECONDS_EACH=60)'
	@echo 'make fmt    format the code'

demo:
	cargo run --release -p tenbin-cli -- demo

test:
	bash tools/test.sh

bench:
	cargo build --release -p tenbin-cli -p tenbin-null-server
	cargo run --release -p tenbin-bench -- $(if $(GO_TPC),--go-tpc $(GO_TPC)) $(if $(TPCC_MYSQL),--tpcc-mysql $(TPCC_MYSQL))

fuzz:
	bash tools/fuzz.sh

fmt:
	cargo fmt --all
