//! What a run leaves behind and how it is told: run directories, the page, exports. Knows events and their summary
//! only.

mod bilingual;
mod chart;
pub mod export;
pub mod page;
mod rows;
pub mod store;
