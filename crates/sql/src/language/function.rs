//! The operators and functions of expressions: which there are, and how many arguments they take.

/// An operator or a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is what its name says")]
pub enum Function {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    And,
    Or,
    Not,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Is,
    Case,
    Abs,
    Debug,
    Double,
    Exp,
    Greatest,
    HashFnv1a,
    HashMurmur2,
    Int,
    Least,
    Ln,
    Permute,
    Pi,
    Power,
    Random,
    RandomExponential,
    RandomGaussian,
    RandomZipfian,
    Sqrt,
}

/// How many arguments a function takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arity {
    /// Exactly this many.
    Exactly(usize),
    /// One or more.
    AtLeastOne,
    /// This many; one more is `:default_seed` if it is not given.
    Seeded(usize),
}

/// The most arguments of a function.
pub(super) const MOST_ARGUMENTS: usize = 16;

/// What can be called by name, in alphabetical order.
pub(super) const NAMED: &[(&str, Function, Arity)] = &[
    ("abs", Function::Abs, Arity::Exactly(1)),
    ("debug", Function::Debug, Arity::Exactly(1)),
    ("double", Function::Double, Arity::Exactly(1)),
    ("exp", Function::Exp, Arity::Exactly(1)),
    ("greatest", Function::Greatest, Arity::AtLeastOne),
    ("hash", Function::HashMurmur2, Arity::Seeded(1)),
    ("hash_fnv1a", Function::HashFnv1a, Arity::Seeded(1)),
    ("hash_murmur2", Function::HashMurmur2, Arity::Seeded(1)),
    ("int", Function::Int, Arity::Exactly(1)),
    ("least", Function::Least, Arity::AtLeastOne),
    ("ln", Function::Ln, Arity::Exactly(1)),
    ("mod", Function::Modulo, Arity::Exactly(2)),
    ("permute", Function::Permute, Arity::Seeded(2)),
    ("pi", Function::Pi, Arity::Exactly(0)),
    ("pow", Function::Power, Arity::Exactly(2)),
    ("power", Function::Power, Arity::Exactly(2)),
    ("random", Function::Random, Arity::Exactly(2)),
    ("random_exponential", Function::RandomExponential, Arity::Exactly(3)),
    ("random_gaussian", Function::RandomGaussian, Arity::Exactly(3)),
    ("random_zipfian", Function::RandomZipfian, Arity::Exactly(3)),
    ("sqrt", Function::Sqrt, Arity::Exactly(1)),
];

/// The function of this name, in capitals or not.
pub(super) fn named(name: &str) -> Option<(Function, Arity)> {
    NAMED.iter().find(|(known, _, _)| known.eq_ignore_ascii_case(name)).map(|(_, function, arity)| (*function, *arity))
}
