//! Expressions: a tree, and the parser that builds it from text.

use super::error::ScriptErrorCode;
use super::function::{Arity, Function, named};
use super::names::{Names, Slot};
use super::tokens::{Keyword, Token, Tokens};
use super::value::Value;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A constant.
    Constant(Value),
    /// A variable.
    Variable(Slot),
    /// An operator or a function with its arguments, in the order in which they are evaluated.
    Call(Function, Box<[Expression]>),
}

/// Expressions are evaluated recursively, on the stack of a thread that many clients share.
const DEEPEST: usize = 400;

// Levels of precedence, weakest first.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const IS: u8 = 4;
const COMPARE: u8 = 5;
const OTHER: u8 = 6;
const ADD: u8 = 7;
const MULTIPLY: u8 = 8;
const UNARY: u8 = 9;

impl Expression {
    /// Parses a whole text. An error comes with the place of the last byte that was read: the last word that is none, as in pgbench, or else
    /// the first that has no place in the grammar.
    pub fn parse(text: &str, names: &mut Names) -> Result<Expression, (ScriptErrorCode, usize)> {
        if let Some(wrong) = last_wrong_word(text) {
            return Err(wrong);
        }
        let mut parser = Parser { tokens: Tokens::new(text), ahead: Token::End, names, depth: 0 };
        let parsed = parser.advance().and_then(|()| parser.whole());
        parsed.map(|(expression, _)| expression).map_err(|code| {
            // The end of the text is a place behind it.
            let at_end = parser.ahead == Token::End && code == ScriptErrorCode::Syntax;
            (code, if at_end { text.len() } else { parser.tokens.at.saturating_sub(1) })
        })
    }

    /// Calls `each` for every variable in it.
    pub fn variables(&self, each: &mut dyn FnMut(Slot)) {
        match self {
            Expression::Constant(_) => {}
            Expression::Variable(slot) => each(*slot),
            Expression::Call(_, arguments) => arguments.iter().for_each(|argument| argument.variables(each)),
        }
    }
}

/// The last character or number of a text that is no word of an expression.
fn last_wrong_word(text: &str) -> Option<(ScriptErrorCode, usize)> {
    let mut tokens = Tokens::new(text);
    let mut mistake = None;
    loop {
        match tokens.next() {
            Ok(Token::End) => return mistake,
            Ok(_) => {}
            Err(code) => mistake = Some((code, tokens.at.saturating_sub(1))),
        }
    }
}

/// An expression, and how deep it is.
type Deep = (Expression, usize);

struct Parser<'a> {
    tokens: Tokens<'a>,
    ahead: Token<'a>,
    names: &'a mut Names,
    depth: usize,
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<(), ScriptErrorCode> {
        self.ahead = self.tokens.next()?;
        Ok(())
    }

    fn whole(&mut self) -> Result<Deep, ScriptErrorCode> {
        let expression = self.expression(0)?;
        if self.ahead == Token::End { Ok(expression) } else { Err(ScriptErrorCode::Syntax) }
    }

    fn expect(&mut self, token: Token<'_>) -> Result<(), ScriptErrorCode> {
        if self.ahead == token { self.advance() } else { Err(ScriptErrorCode::Syntax) }
    }

    /// An expression of operators that are at least so strong.
    fn expression(&mut self, weakest: u8) -> Result<Deep, ScriptErrorCode> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ScriptErrorCode::TooDeep);
        }
        let mut left = self.operand()?;
        loop {
            if let Some(test) = self.postfix(weakest)? {
                left = test.applied(left)?;
                continue;
            }
            let (Token::Symbol(_) | Token::Keyword(_)) = self.ahead else { break };
            let Some((level, function, swapped)) = binary(self.ahead).filter(|(level, _, _)| *level >= weakest) else {
                break;
            };
            self.advance()?;
            let right = self.expression(level + 1)?;
            // Arguments of > and >= are evaluated from right to left.
            left = call(function, if swapped { vec![right, left] } else { vec![left, right] })?;
            if level == COMPARE && binary(self.ahead).is_some_and(|(next, _, _)| next == COMPARE) {
                return Err(ScriptErrorCode::Syntax);
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    /// `IS [NOT] NULL` and the like.
    fn postfix(&mut self, weakest: u8) -> Result<Option<Test>, ScriptErrorCode> {
        if IS < weakest {
            return Ok(None);
        }
        let test = match self.ahead {
            Token::Keyword(Keyword::IsNull) => Test { of: Value::Null, negated: false },
            Token::Keyword(Keyword::NotNull) => Test { of: Value::Null, negated: true },
            Token::Keyword(Keyword::Is) => {
                self.advance()?;
                let negated = self.ahead == Token::Keyword(Keyword::Not);
                if negated {
                    self.advance()?;
                }
                let of = match self.ahead {
                    Token::Keyword(Keyword::Null) => Value::Null,
                    Token::Keyword(Keyword::True) => Value::Bool(true),
                    Token::Keyword(Keyword::False) => Value::Bool(false),
                    _ => return Err(ScriptErrorCode::Syntax),
                };
                Test { of, negated }
            }
            _ => return Ok(None),
        };
        self.advance()?;
        Ok(Some(test))
    }

    fn operand(&mut self) -> Result<Deep, ScriptErrorCode> {
        let constant = |value| (Expression::Constant(value), 1);
        let token = self.ahead;
        match token {
            Token::Name(name) => return self.name(name),
            Token::Keyword(Keyword::Case) => return self.case(),
            Token::Symbol("(") => {
                self.advance()?;
                let inner = self.expression(0)?;
                self.expect(Token::Symbol(")"))?;
                return Ok(inner);
            }
            Token::MinusMinimum | Token::End => return Err(ScriptErrorCode::Syntax),
            Token::Symbol(symbol) if !["+", "-", "~"].contains(&symbol) => return Err(ScriptErrorCode::Syntax),
            Token::Keyword(word) if ![Keyword::Null, Keyword::True, Keyword::False, Keyword::Not].contains(&word) => {
                return Err(ScriptErrorCode::Syntax);
            }
            _ => self.advance()?,
        }
        Ok(match token {
            Token::Int(value) => constant(Value::Int(value)),
            Token::Double(value) => constant(Value::Double(value)),
            Token::Keyword(Keyword::Null) => constant(Value::Null),
            Token::Keyword(Keyword::True) => constant(Value::Bool(true)),
            Token::Keyword(Keyword::False) => constant(Value::Bool(false)),
            Token::Variable(name) => (Expression::Variable(self.names.slot(name)), 1),
            Token::Symbol("+") => self.expression(UNARY)?,
            Token::Symbol("-") if self.ahead == Token::MinusMinimum => {
                self.advance()?;
                constant(Value::Int(i64::MIN))
            }
            Token::Symbol("-") => {
                let value = self.expression(UNARY)?;
                call(Function::Subtract, vec![constant(Value::Int(0)), value])?
            }
            // Weaker than a minus sign: ~ 1 + 2 is ~ (1 + 2).
            Token::Symbol("~") => {
                let value = self.expression(ADD)?;
                call(Function::BitXor, vec![constant(Value::Int(-1)), value])?
            }
            Token::Keyword(Keyword::Not) => {
                let value = self.expression(NOT)?;
                call(Function::Not, vec![value])?
            }
            _ => return Err(ScriptErrorCode::Syntax),
        })
    }

    fn name(&mut self, name: &str) -> Result<Deep, ScriptErrorCode> {
        let Some((function, arity)) = named(name) else {
            return Err(ScriptErrorCode::UnknownFunction(name.to_owned()));
        };
        self.advance()?;
        self.expect(Token::Symbol("("))?;
        let mut arguments = Vec::new();
        while self.ahead != Token::Symbol(")") {
            // Before the first one too, as in pgbench.
            if !arguments.is_empty() || self.ahead == Token::Symbol(",") {
                self.expect(Token::Symbol(","))?;
            }
            arguments.push(self.expression(0)?);
        }
        let given = arguments.len();
        match arity {
            Arity::Exactly(wanted) if given != wanted => return Err(ScriptErrorCode::WrongArguments(name.to_owned())),
            Arity::AtLeastOne if given == 0 => return Err(ScriptErrorCode::NoArgument(name.to_owned())),
            Arity::Seeded(least) if given == least => {
                arguments.push((Expression::Variable(self.names.slot("default_seed")), 1));
            }
            Arity::Seeded(least) if given != least + 1 => return Err(ScriptErrorCode::WrongArguments(name.to_owned())),
            _ => {}
        }
        self.advance()?;
        call(function, arguments)
    }

    fn case(&mut self) -> Result<Deep, ScriptErrorCode> {
        self.advance()?;
        let mut arguments = Vec::new();
        while self.ahead == Token::Keyword(Keyword::When) {
            self.advance()?;
            arguments.push(self.expression(0)?);
            self.expect(Token::Keyword(Keyword::Then))?;
            arguments.push(self.expression(0)?);
        }
        if arguments.is_empty() {
            return Err(ScriptErrorCode::Syntax);
        }
        if self.ahead == Token::Keyword(Keyword::Else) {
            self.advance()?;
            arguments.push(self.expression(0)?);
        } else {
            arguments.push((Expression::Constant(Value::Null), 1));
        }
        self.expect(Token::Keyword(Keyword::End))?;
        call(Function::Case, arguments)
    }
}

/// `IS NULL` and the like.
struct Test {
    of: Value,
    negated: bool,
}

impl Test {
    fn applied(&self, to: Deep) -> Result<Deep, ScriptErrorCode> {
        let test = call(Function::Is, vec![to, (Expression::Constant(self.of), 1)])?;
        if self.negated { call(Function::Not, vec![test]) } else { Ok(test) }
    }
}

fn call(function: Function, arguments: Vec<Deep>) -> Result<Deep, ScriptErrorCode> {
    let depth = 1 + arguments.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
    if depth > DEEPEST {
        return Err(ScriptErrorCode::TooDeep);
    }
    Ok((Expression::Call(function, arguments.into_iter().map(|(expression, _)| expression).collect()), depth))
}

/// Level and function of an operator between two operands, and whether these change places.
fn binary(token: Token<'_>) -> Option<(u8, Function, bool)> {
    Some(match token {
        Token::Keyword(Keyword::Or) => (OR, Function::Or, false),
        Token::Keyword(Keyword::And) => (AND, Function::And, false),
        Token::Symbol(symbol) => match symbol {
            "=" => (COMPARE, Function::Equal, false),
            "<>" | "!=" => (COMPARE, Function::NotEqual, false),
            "<" => (COMPARE, Function::Less, false),
            "<=" => (COMPARE, Function::LessOrEqual, false),
            ">" => (COMPARE, Function::Less, true),
            ">=" => (COMPARE, Function::LessOrEqual, true),
            "|" => (OTHER, Function::BitOr, false),
            "#" => (OTHER, Function::BitXor, false),
            "&" => (OTHER, Function::BitAnd, false),
            "<<" => (OTHER, Function::ShiftLeft, false),
            ">>" => (OTHER, Function::ShiftRight, false),
            "+" => (ADD, Function::Add, false),
            "-" => (ADD, Function::Subtract, false),
            "*" => (MULTIPLY, Function::Multiply, false),
            "/" => (MULTIPLY, Function::Divide, false),
            "%" => (MULTIPLY, Function::Modulo, false),
            _ => return None,
        },
        _ => return None,
    })
}
