//! A text for the user: the identifier of a message of the [catalogue] with its arguments, or foreign
//! text. The English or Japanese text is created from it where it is shown.

use crate::catalogue::{self, Element, Entry};
use crate::language::Language;
use crate::msg;
use crate::remedy::{REMEDIES, Remedy};
use crate::text::{visible, visible_lines};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// A text in every language of the catalogue. Dereferences to English, for logs and tests; code makes decisions by
/// [`Message::id`] and [`Message::arg`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    english: String,
    /// Boxed, so that a result that may be a problem stays small.
    source: Box<Source>,
}

/// The content of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// Text that is not translated: a server's message, a path, a number.
    Foreign,
    /// A message of the catalogue with its arguments.
    Catalogue { id: Cow<'static, str>, args: Vec<(Cow<'static, str>, Message)> },
    /// Several messages with a separator.
    Joined { parts: Vec<Message>, between: Message },
}

/// A part of a text in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text of the catalogue.
    Ours(String),
    /// Text that is not translated.
    Foreign(String),
}

impl Message {
    /// A message of the catalogue; [`msg!`](crate::msg) is the short form.
    pub fn new(id: &'static str, args: impl IntoIterator<Item = (&'static str, Message)>) -> Message {
        let args: Vec<_> = args.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect();
        debug_assert!(
            catalogue::entry(id).is_some_and(|entry| entry.takes(args.iter().map(|(name, _)| &**name))),
            "{id} is not in the catalogue, or not with these arguments"
        );
        Message::of(Source::Catalogue { id: Cow::Borrowed(id), args })
    }

    /// The message of an identifier that is not written in Rust, as in a template; nothing when the catalogue does not
    /// have it with these arguments.
    pub fn named(id: &str, args: impl IntoIterator<Item = (String, Message)>) -> Option<Message> {
        let (id, entry) = (catalogue::identifier(id)?, catalogue::entry(id)?);
        let args: Vec<_> = args.into_iter().map(|(name, value)| (Cow::Owned(name), value)).collect();
        if !entry.takes(args.iter().map(|(name, _): &(Cow<'_, str>, _)| &**name)) {
            return None;
        }
        Some(Message::of(Source::Catalogue { id: Cow::Borrowed(id), args }))
    }

    /// A message from a recording, with its stored English text.
    pub(crate) fn read(id: String, args: Vec<(Cow<'static, str>, Message)>, english: String) -> Message {
        Message { english, source: Box::new(Source::Catalogue { id: Cow::Owned(id), args }) }
    }

    /// Several messages with a text between them, such as `"\n"` or `"; "`, or a message where it differs by language.
    /// One alone is itself.
    pub fn joined(parts: impl IntoIterator<Item = Message>, between: impl Argument) -> Message {
        let mut parts: Vec<Message> = parts.into_iter().collect();
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let between = between.argument();
        let english = parts.iter().map(Message::english).collect::<Vec<_>>().join(&between);
        Message { english, source: Box::new(Source::Joined { parts, between }) }
    }

    /// A list in a sentence, with the commas of each language.
    pub fn list(parts: impl IntoIterator<Item = Message>) -> Message {
        Message::joined(parts, msg!("comma"))
    }

    /// A list of at most this many of them; `…` stands for the rest.
    pub fn list_of_first(most: usize, parts: impl IntoIterator<Item = Message>) -> Message {
        let mut parts: Vec<Message> = parts.into_iter().collect();
        if parts.len() > most {
            parts.truncate(most);
            parts.push(foreign("…"));
        }
        Message::list(parts)
    }

    /// Without the full stop that a server's words may end with, so that they can stand within a sentence.
    #[must_use]
    pub fn without_full_stop(&self) -> Message {
        match &*self.source {
            Source::Foreign => foreign(self.english.trim_end_matches(['.', '。'])),
            Source::Joined { parts, between } => {
                let mut parts = parts.clone();
                if let Some(last) = parts.last_mut() {
                    *last = last.without_full_stop();
                }
                Message::joined(parts, between)
            }
            Source::Catalogue { id, .. } => {
                let last = [Language::English, Language::Japanese]
                    .map(|language| catalogue::entry(id).and_then(|entry| entry.pattern(language).last()));
                let at_end =
                    |name: &str| last.iter().flatten().any(|last| matches!(last, Element::Argument(n) if n == name));
                let args = self.args().iter().map(|(name, value)| {
                    (name.clone(), if at_end(name) { value.without_full_stop() } else { value.clone() })
                });
                self.made_of(Source::Catalogue { id: id.clone(), args: args.collect() })
            }
        }
    }

    /// Its identifier in the catalogue; `None` for foreign text.
    pub fn id(&self) -> Option<&str> {
        match &*self.source {
            Source::Catalogue { id, .. } => Some(id),
            Source::Foreign | Source::Joined { .. } => None,
        }
    }

    /// Whether it is this message of the catalogue.
    pub fn is(&self, id: &str) -> bool {
        assert_known(id);
        self.id() == Some(id)
    }

    /// An argument by its name.
    pub fn arg(&self, name: &str) -> Option<&Message> {
        self.args().iter().find(|(given, _)| given == name).map(|(_, value)| value)
    }

    /// All arguments with their names.
    pub fn args(&self) -> &[(Cow<'static, str>, Message)] {
        match &*self.source {
            Source::Catalogue { args, .. } => args,
            Source::Foreign | Source::Joined { .. } => &[],
        }
    }

    /// The same message with `change` applied to the argument of this name, at any depth.
    #[must_use]
    pub fn with(&self, name: &str, change: &dyn Fn(&Message) -> Message) -> Message {
        let source = match &*self.source {
            Source::Foreign => return self.clone(),
            Source::Catalogue { id, args } => {
                let changed = |(n, v): &(Cow<'static, str>, Message)| {
                    (n.clone(), if n == name { change(v) } else { v.with(name, change) })
                };
                Source::Catalogue { id: id.clone(), args: args.iter().map(changed).collect() }
            }
            Source::Joined { parts, between } => {
                Source::Joined { parts: parts.iter().map(|p| p.with(name, change)).collect(), between: between.clone() }
            }
        };
        self.made_of(source)
    }

    /// With its English as the catalogue has it.
    fn of(source: Source) -> Message {
        let mut made = Message { english: String::new(), source: Box::new(source) };
        made.english = text_of(&made.pieces(Language::English));
        made
    }

    /// The same of other parts. Where they are the same its English stays, which may be of a newer catalogue.
    fn made_of(&self, source: Source) -> Message {
        if source == *self.source { self.clone() } else { Message::of(source) }
    }

    /// The message of this identifier: this one, or one among its arguments and parts, at any depth.
    pub fn find(&self, id: &str) -> Option<&Message> {
        assert_known(id);
        let inner: Box<dyn Iterator<Item = &Message>> = match &*self.source {
            Source::Joined { parts, .. } => Box::new(parts.iter()),
            Source::Catalogue { args, .. } => Box::new(args.iter().map(|(_, value)| value)),
            Source::Foreign => return None,
        };
        if self.id() == Some(id) {
            return Some(self);
        }
        { inner }.find_map(|message| message.find(id))
    }

    /// Whether one of these messages is in it, at any depth.
    pub fn mentions(&self, ids: &[&str]) -> bool {
        // Of all, whichever answers: a wrong identifier is to be found by any test that comes here.
        ids.iter().for_each(|id| assert_known(id));
        ids.iter().any(|id| self.find(id).is_some())
    }

    /// The entries of the catalogue that it was made of: its own, and those of its arguments and parts, at any depth.
    pub fn entries(&self) -> Vec<&'static Entry> {
        let of = |message: &Message| message.entries();
        match &*self.source {
            Source::Foreign => Vec::new(),
            Source::Joined { parts, .. } => parts.iter().flat_map(of).collect(),
            Source::Catalogue { id, args } => {
                catalogue::entry(id).into_iter().chain(args.iter().flat_map(|(_, value)| of(value))).collect()
            }
        }
    }

    /// What the message resolves as a hint, if its texts in the catalogue say so.
    pub fn remedy(&self) -> Option<Remedy> {
        let entries = self.entries();
        let has = |name: &str| entries.iter().any(|entry| entry.remedy() == Some(name));
        REMEDIES.iter().find(|(name, _)| has(name)).map(|(_, remedy)| *remedy)
    }

    /// Whether it is this message, or has it among its arguments, at any depth.
    pub fn contains_message(&self, other: &Message) -> bool {
        self == other || self.args().iter().any(|(_, value)| value.contains_message(other))
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// In English.
    pub fn english(&self) -> &str {
        &self.english
    }

    /// The text in this language; in English if the catalogue does not have it, as in a recording of a newer version.
    pub fn text(&self, language: Language) -> String {
        match language {
            Language::English => self.english.clone(),
            Language::Japanese => text_of(&self.pieces(language)),
        }
    }

    /// The same, split into our own and foreign parts.
    pub fn pieces(&self, language: Language) -> Vec<Piece> {
        let mut out = Vec::new();
        match &*self.source {
            Source::Foreign => out.push(Piece::Foreign(self.english.clone())),
            Source::Joined { parts, between } => {
                for (n, part) in parts.iter().enumerate() {
                    if n > 0 {
                        out.push(Piece::Ours(between.text(language)));
                    }
                    out.extend(part.pieces(language));
                }
            }
            Source::Catalogue { id, .. } => match catalogue::entry(id) {
                None => out.push(Piece::Ours(self.english.clone())),
                Some(entry) => self.fill(entry.pattern(language), language, &mut out),
            },
        }
        out.retain(|p| !matches!(p, Piece::Ours(t) | Piece::Foreign(t) if t.is_empty()));
        if language == Language::Japanese {
            set_spaces(&mut out);
        }
        out
    }

    /// A pattern with the arguments in their places.
    fn fill(&self, pattern: &[Element], language: Language, out: &mut Vec<Piece>) {
        for element in pattern {
            match element {
                Element::Text(text) => out.push(Piece::Ours(text.clone())),
                Element::Argument(name) => match self.arg(name) {
                    Some(value) => out.extend(value.pieces(language)),
                    None => out.push(Piece::Foreign("–".to_owned())),
                },
                Element::Choice { argument, variants, otherwise } => {
                    let value = self.arg(argument).map_or("", Message::english);
                    let chosen = variants.iter().find(|(of, _)| of == value).map_or(otherwise, |(_, pattern)| pattern);
                    self.fill(chosen, language, out);
                }
            }
        }
    }

    /// With control characters escaped, including line breaks.
    #[must_use]
    pub fn on_one_line(self) -> Message {
        self.each(&|text| visible(text).into_owned())
    }

    /// The same, but with line breaks and tabs.
    #[must_use]
    pub fn on_lines(self) -> Message {
        self.each(&|text| visible_lines(text).into_owned())
    }

    fn each(self, escape: &dyn Fn(&str) -> String) -> Message {
        let english = escape(&self.english);
        let source = match *self.source {
            Source::Foreign => Source::Foreign,
            Source::Catalogue { id, args } => {
                Source::Catalogue { id, args: args.into_iter().map(|(n, v)| (n, v.each(escape))).collect() }
            }
            Source::Joined { parts, between } => {
                let parts = parts.into_iter().map(|p| p.each(escape)).collect();
                Source::Joined { parts, between: between.each(escape) }
            }
        };
        Message { english, source: Box::new(source) }
    }
}

/// Text that is the same in every language: a server's message, a path, a number.
pub fn foreign(text: impl fmt::Display) -> Message {
    Message { english: text.to_string(), source: Box::new(Source::Foreign) }
}

/// An identifier that code asks for is in the catalogue; a wrong one would never be found.
fn assert_known(id: &str) {
    debug_assert!(catalogue::entry(id).is_some(), "{id} is not in the catalogue");
}

/// Between Japanese and a Latin letter or a digit stands a space, and between words of ours in Japanese none, whatever an argument begins and
/// ends with: a cell may end in a word of ours, or in a name of the plan.
fn set_spaces(pieces: &mut [Piece]) {
    let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    for at in 1..pieces.len() {
        let (before, after) = pieces.split_at_mut(at);
        let (Some(before), Some(after)) = (before.last_mut(), after.first_mut()) else { continue };
        let (Piece::Ours(end) | Piece::Foreign(end)) = &*before;
        let (Piece::Ours(start) | Piece::Foreign(start)) = &*after;
        let (end, start) = (end.chars().next_back(), start.chars().next());
        let is_mixed = is_japanese(end) && is_latin(start) || is_latin(end) && is_japanese(start);
        match (before, after) {
            (Piece::Ours(before), Piece::Ours(after)) => {
                if is_mixed {
                    before.push(' ');
                } else if before.strip_suffix(' ').is_some_and(|rest| is_japanese(rest.chars().next_back()))
                    && is_japanese(start)
                {
                    before.pop();
                } else if after.strip_prefix(' ').is_some_and(|rest| is_japanese(rest.chars().next()))
                    && is_japanese(end)
                {
                    after.remove(0);
                }
            }
            (Piece::Ours(before), _) if is_mixed => before.push(' '),
            (_, Piece::Ours(after)) if is_mixed => after.insert(0, ' '),
            _ => {}
        }
    }
}

/// Whether it is a letter of Japanese, and no mark.
fn is_japanese(c: Option<char>) -> bool {
    matches!(
        c,
        Some('\u{3005}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{3400}'..='\u{9fff}')
    )
}

fn text_of(pieces: &[Piece]) -> String {
    pieces.iter().map(|(Piece::Ours(text) | Piece::Foreign(text))| text.as_str()).collect()
}

impl Default for Message {
    fn default() -> Message {
        foreign("")
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.english
    }
}

impl PartialEq<str> for Message {
    fn eq(&self, other: &str) -> bool {
        self.english == other
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, other: &&str) -> bool {
        self.english == *other
    }
}

impl From<&Message> for Message {
    fn from(message: &Message) -> Message {
        message.clone()
    }
}

/// An argument of a message: anything that can be displayed, as foreign text, or another message.
pub trait Argument {
    /// Converts it to a message.
    fn argument(&self) -> Message;
}

impl<T: fmt::Display + ?Sized> Argument for T {
    fn argument(&self) -> Message {
        foreign(self)
    }
}

// `Message` does not implement `Display`, so that the implementations do not overlap.
impl Argument for Message {
    fn argument(&self) -> Message {
        self.clone()
    }
}

impl Argument for &Message {
    fn argument(&self) -> Message {
        (*self).clone()
    }
}

/// A message of the catalogue: `msg!("host-unknown", host = name, error = e)`. An argument is anything that can be
/// displayed, which is not translated, or another message; `host` alone means `host = host`.
#[macro_export]
macro_rules! msg {
    (@value $name:ident) => { $crate::message::Argument::argument(&$name) };
    (@value $name:ident $value:expr) => { $crate::message::Argument::argument(&$value) };
    ($id:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::message::Message::new($id, [$((stringify!($name), $crate::msg!(@value $name $($value)?))),*])
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_order_and_foreign_words_stay() {
        let loaded =
            msg!("loaded", rows = 25_000, unit = msg!("unit-rows"), took = "3 s", per_second = "8,333", streams = 4);
        assert_eq!(loaded, "loaded 25000 rows in 3 s (8,333 rows/s, 4 streams)");
        assert_eq!(loaded.text(Language::Japanese), "25000 行をロードしました(3 s、毎秒 8,333 行、4 並列)");
        let pieces = msg!("values-of-axis", n = 3, axis = "a\u{1b}b").on_one_line().pieces(Language::Japanese);
        let (ours, foreign) = (|t: &str| Piece::Ours(t.into()), |t: &str| Piece::Foreign(t.into()));
        assert_eq!(pieces, [foreign("a\\u001bb"), ours(" の値 "), foreign("3"), ours(" 個")]);
    }

    #[test]
    fn japanese_and_latin_stand_apart_whatever_an_argument_is() {
        let japanese = |message: Message| message.text(Language::Japanese);
        let statement = |a: Message, b: Message| japanese(msg!("ratio-of-transactions", a, b, ratio = "2"));
        let of_axis = || [msg!("cell-dataset", value = "without"), msg!("cell-clients", value = 8)];
        let [without, clients] = of_axis();
        assert_eq!(statement(without, clients), "8 クライアントの毎秒トランザクション数はデータセット without の 2");
        let at = |cell: Message| japanese(msg!("answer-alone-at", cell));
        let [without, clients] = of_axis();
        assert_eq!(at(without), "、データセット without のとき");
        assert_eq!(at(clients), "、8 クライアントのとき");
        // Names stay as they are, and marks are no letters.
        assert_eq!(statement(foreign("東京 1"), foreign("大阪")), "大阪 の毎秒トランザクション数は 東京 1 の 2");
        let numbers = Message::joined(["1", "8"].map(foreign), msg!("between-values"));
        assert_eq!(japanese(msg!("condition-clients", numbers)), "1・8 クライアント");
    }

    #[test]
    fn an_argument_can_be_given_anew() {
        let message = Message::joined([msg!("unit-rows"), msg!("target-has-no-address", target = "a")], "; ");
        assert_eq!(message.with("target", &|_| foreign("b")), "rows; target b has no address");
        assert_eq!(message.with("none", &|_| foreign("b")), message);
    }

    #[test]
    fn only_messages_of_the_catalogue_are_asked_for() {
        let message = msg!("unit-rows");
        assert!(
            message.is("unit-rows")
                && message.mentions(&["unit-tables", "unit-rows"])
                && message.find("unit-tables").is_none()
        );
        // Nothing is in foreign text, and a wrong identifier is found all the same.
        for wrong in [
            || said_of(&foreign("x"), |m| m.is("unit-row")),
            || said_of(&foreign("x"), |m| m.find("unit-row").is_some()),
            || said_of(&msg!("unit-rows"), |m| m.mentions(&["unit-rows", "unit-row"])),
        ] {
            let panic = std::panic::catch_unwind(wrong).unwrap_err();
            assert_eq!(panic.downcast_ref::<String>().unwrap(), "unit-row is not in the catalogue");
        }
    }

    #[test]
    fn a_message_chooses_its_words_by_an_argument() {
        let texts = |n: u32| [Language::English, Language::Japanese].map(|l| msg!("trials-counted", n).text(l));
        assert_eq!(texts(1), ["1 trial", "1 試行"]);
        assert_eq!(texts(21), ["21 trials", "21 試行"]);
    }

    #[test]
    fn a_list_has_the_commas_of_its_language() {
        let list = Message::list(["a", "b", "c"].map(foreign));
        assert_eq!(list, "a, b, c");
        assert_eq!(list.text(Language::Japanese), "a、b、c");
        assert_eq!(Message::list([]), "");
        let first = |most| Message::list_of_first(most, ["a", "b", "c"].map(foreign));
        assert_eq!([first(3).english(), first(2).english()], ["a, b, c", "a, b, …"]);
    }

    #[test]
    fn a_full_stop_of_the_server_is_left_out_within_a_sentence() {
        let what = msg!("failed", doing = "connecting", why = "Access denied.");
        assert!(what.english().ends_with("denied."), "{what:?}");
        let within = what.without_full_stop();
        assert_eq!(within.english(), what.english().trim_end_matches('.'));
        assert_eq!(within.text(Language::Japanese), what.text(Language::Japanese).trim_end_matches('.'));
        assert_eq!(foreign("終わり。").without_full_stop(), "終わり");
        assert_eq!(msg!("unit-rows").without_full_stop(), "rows");
    }

    fn said_of(message: &Message, asked: fn(&Message) -> bool) -> bool {
        asked(message)
    }
}
