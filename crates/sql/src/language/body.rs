//! Whether a statement creates something whose body has semicolons. Used by [`super::lexer`].

/// The body of a function in SQL or of a trigger, in which semicolons end no statement: `BEGIN ATOMIC … END`.
#[derive(Debug, Default)]
pub(super) struct Body {
    words: u32,
    created: bool,
    /// Whether what is created has such a body.
    has_body: bool,
    /// How many of its blocks are open.
    pub(super) depth: u32,
}

impl Body {
    pub(super) fn begin_statement(&mut self) {
        if self.depth == 0 {
            *self = Body::default();
        }
    }

    /// `kinds`: what is created with such a body.
    pub(super) fn word(&mut self, word: &[u8], parentheses: u32, kinds: &[&str]) {
        self.words += 1;
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        if self.words == 1 {
            self.created = is("create");
        } else if self.words <= 4 {
            self.has_body |= self.created && kinds.iter().any(|kind| is(kind));
        }
        if !self.has_body || parentheses > 0 {
            return;
        }
        if is("begin") || (is("case") && self.depth > 0) {
            self.depth += 1;
        } else if is("end") {
            self.depth = self.depth.saturating_sub(1);
        }
    }
}
