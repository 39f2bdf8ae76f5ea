//! Durations, sizes and shares as people write them: `300s`, `8GiB`, `2%`.
