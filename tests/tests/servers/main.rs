//! Real servers: loading and driving them, their versions, sandboxes, proxies, replicas.

mod mysql_matrix;
mod mysql_versions;
mod oltp_load;
mod postgres_cli;
mod postgres_driver;
mod postgres_load;
mod proxies;
mod replicas;
mod sandboxes;
mod sent_ahead;
