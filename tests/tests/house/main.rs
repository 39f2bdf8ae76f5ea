//! The house itself: its walls, its words.

mod catalogue;
mod glossary;
mod markup;
mod rings;
mod walls;
