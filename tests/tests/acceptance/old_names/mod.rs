//! sysbench, mysqlslap, pgbench, tpcc_load and tpcc_start by name, beside the real ones.

mod last_statements;
mod lua;
mod oltp_sysbench;
mod pgbench;
mod postgres_sysbench;
mod script_errors;
mod script_reports;
mod slap;
mod sysbench_dry;
mod sysbench_face;
mod sysbench_machine;
mod sysbench_scripts;
mod tpcc_face;
mod tpcc_mysql;
mod wrappers;
