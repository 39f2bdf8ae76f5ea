//! Real servers: loading and driving them, their versions, sandboxes, proxies, replicas.

mod cloud;
mod cloudwatch;
mod column_definitions;
mod data_directory;
mod digests;
mod exporters;
mod golden;
mod golden_database;
mod lag;
mod mysql_matrix;
mod mysql_versions;
mod network_path;
mod oltp_load;
mod option_files;
mod postgres_cli;
mod postgres_driver;
mod postgres_load;
mod proxies;
mod rds;
mod replicas;
mod replicas_of;
mod sandboxes;
mod sent_ahead;
mod sessions;
mod settling;
mod simulated_link;
