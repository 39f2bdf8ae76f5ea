//! The languages of the product.

/// A language of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// 日本語.
    Japanese,
}
