//! Plan files: TOML in, trials out.
