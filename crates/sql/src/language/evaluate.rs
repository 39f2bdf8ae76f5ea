//! Evaluates expressions. Errors and results are pgbench's: halves are rounded to even numbers, doubles follow IEEE 754, a function of null is null.

use super::error::EvalError;
use super::expression::Expression;
use super::function::{Function, MOST_ARGUMENTS};
use super::hash;
use super::names::{Names, Variables};
use super::random::Generator;
use super::value::Value;

/// A value that `debug()` was called with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DebugValue {
    /// The command that called it, counted from 1.
    pub command: usize,
    /// The value.
    pub value: Value,
}

/// What an expression is evaluated with.
#[derive(Debug)]
pub struct Evaluation<'a> {
    /// The variables.
    pub variables: &'a Variables,
    /// Their names, for messages.
    pub names: &'a Names,
    /// Where random numbers come from.
    pub random: &'a mut Generator,
    /// What `debug()` was called with.
    pub debug: &'a mut Vec<DebugValue>,
    /// The command that is executed, counted from 1.
    pub command: usize,
}

impl Evaluation<'_> {
    /// The value of an expression.
    #[inline]
    pub fn value(&mut self, expression: &Expression) -> Result<Value, EvalError> {
        match expression {
            Expression::Constant(value) => Ok(*value),
            Expression::Variable(slot) => self.variables.value(*slot, self.names),
            Expression::Call(function, arguments) => match function {
                Function::And | Function::Or | Function::Case => self.lazy(*function, arguments),
                _ => self.call(*function, arguments),
            },
        }
    }

    fn lazy(&mut self, function: Function, arguments: &[Expression]) -> Result<Value, EvalError> {
        if function == Function::Case {
            let (whens, otherwise) = arguments.split_at(arguments.len() - 1);
            for pair in whens.chunks_exact(2) {
                if self.value(&pair[0])?.is_true() {
                    return self.value(&pair[1]);
                }
            }
            return self.value(&otherwise[0]);
        }
        let first = self.value(&arguments[0])?;
        // The first operand alone decides if it is null.
        if first == Value::Null {
            return Ok(Value::Null);
        }
        let decides = function == Function::Or;
        if boolean(first)? == decides {
            return Ok(Value::Bool(decides));
        }
        match self.value(&arguments[1])? {
            Value::Null => Ok(Value::Null),
            second => boolean(second).map(Value::Bool),
        }
    }

    fn call(&mut self, function: Function, arguments: &[Expression]) -> Result<Value, EvalError> {
        if arguments.len() > MOST_ARGUMENTS {
            return Err(EvalError::TooManyArguments);
        }
        let mut values = [Value::Null; MOST_ARGUMENTS];
        let mut null = false;
        for (value, argument) in values.iter_mut().zip(arguments) {
            *value = self.value(argument)?;
            null |= *value == Value::Null;
        }
        let values = &values[..arguments.len()];
        match function {
            Function::Debug => {
                self.debug.push(DebugValue { command: self.command, value: values[0] });
                Ok(values[0])
            }
            Function::Is => Ok(Value::Bool(values[0] == values[1])),
            _ if null => Ok(Value::Null),
            Function::Random | Function::RandomExponential | Function::RandomGaussian | Function::RandomZipfian => {
                self.random(function, values)
            }
            _ => pure(function, values),
        }
    }

    fn random(&mut self, function: Function, values: &[Value]) -> Result<Value, EvalError> {
        let (low, high) = (int(values[0])?, int(values[1])?);
        if low > high {
            return Err(EvalError::EmptyRange);
        }
        if high.checked_sub(low).and_then(|width| width.checked_add(1)).is_none() {
            return Err(EvalError::RangeTooLarge);
        }
        let parameter = if values.len() > 2 { double(values[2])? } else { 0.0 };
        Ok(Value::Int(match function {
            Function::RandomGaussian if parameter.is_nan() || parameter < 2.0 => {
                return Err(EvalError::GaussianParameter(parameter));
            }
            Function::RandomGaussian => self.random.gaussian(low, high, parameter),
            Function::RandomZipfian if !(1.001..=1000.0).contains(&parameter) => {
                return Err(EvalError::ZipfianParameter(parameter));
            }
            Function::RandomZipfian => self.random.zipfian(low, high, parameter),
            Function::RandomExponential if parameter.is_nan() || parameter <= 0.0 => {
                return Err(EvalError::ExponentialParameter(parameter));
            }
            Function::RandomExponential => self.random.exponential(low, high, parameter),
            _ => self.random.whole(low, high),
        }))
    }
}

/// Functions that depend only on their arguments, none of which is null.
fn pure(function: Function, values: &[Value]) -> Result<Value, EvalError> {
    let one = |function: fn(f64) -> f64| double(values[0]).map(|value| Value::Double(function(value)));
    Ok(match function {
        Function::Add | Function::Subtract | Function::Multiply | Function::Divide => {
            return arithmetic(function, values[0], values[1]);
        }
        Function::Modulo => match (int(values[0])?, int(values[1])?) {
            (_, 0) => return Err(EvalError::DivisionByZero),
            (a, b) => Value::Int(a.wrapping_rem(b)),
        },
        Function::Equal | Function::NotEqual | Function::Less | Function::LessOrEqual => {
            return compare(function, values[0], values[1]);
        }
        Function::BitAnd => Value::Int(int(values[0])? & int(values[1])?),
        Function::BitOr => Value::Int(int(values[0])? | int(values[1])?),
        Function::BitXor => Value::Int(int(values[0])? ^ int(values[1])?),
        Function::ShiftLeft => Value::Int(int(values[0])?.wrapping_shl(int(values[1])? as u32)),
        Function::ShiftRight => Value::Int(int(values[0])?.wrapping_shr(int(values[1])? as u32)),
        Function::Not => Value::Bool(!boolean(values[0])?),
        Function::Abs => match values[0] {
            Value::Double(value) => Value::Double(value.abs()),
            other => Value::Int(int(other)?.wrapping_abs()),
        },
        Function::Least | Function::Greatest => return extreme(function == Function::Least, values),
        Function::Int => Value::Int(int(values[0])?),
        Function::Double => Value::Double(double(values[0])?),
        Function::Pi => Value::Double(std::f64::consts::PI),
        Function::Sqrt => one(f64::sqrt)?,
        Function::Ln => one(f64::ln)?,
        Function::Exp => one(f64::exp)?,
        Function::Power => Value::Double(double(values[0])?.powf(double(values[1])?)),
        Function::HashFnv1a => Value::Int(hash::hash_fnv1a(int(values[0])?, int(values[1])?)),
        Function::HashMurmur2 => Value::Int(hash::hash_murmur2(int(values[0])?, int(values[1])?)),
        Function::Permute => {
            let (value, size, seed) = (int(values[0])?, int(values[1])?, int(values[2])?);
            if size <= 0 {
                return Err(EvalError::PermuteSize);
            }
            Value::Int(hash::permute(value, size, seed))
        }
        Function::And
        | Function::Or
        | Function::Case
        | Function::Is
        | Function::Debug
        | Function::Random
        | Function::RandomExponential
        | Function::RandomGaussian
        | Function::RandomZipfian => Value::Null,
    })
}

fn arithmetic(function: Function, a: Value, b: Value) -> Result<Value, EvalError> {
    if let (Value::Double(_), _) | (_, Value::Double(_)) = (a, b) {
        let (a, b) = (double(a)?, double(b)?);
        return Ok(Value::Double(match function {
            Function::Add => a + b,
            Function::Subtract => a - b,
            Function::Multiply => a * b,
            _ => a / b,
        }));
    }
    let (a, b) = (int(a)?, int(b)?);
    let (result, operation) = match function {
        Function::Add => (a.checked_add(b), "add"),
        Function::Subtract => (a.checked_sub(b), "sub"),
        Function::Multiply => (a.checked_mul(b), "mul"),
        _ if b == 0 => return Err(EvalError::DivisionByZero),
        _ => (a.checked_div(b), "div"),
    };
    result.map(Value::Int).ok_or(EvalError::IntOutOfRange(operation))
}

fn compare(function: Function, a: Value, b: Value) -> Result<Value, EvalError> {
    let order = match (a, b) {
        (Value::Double(_), _) | (_, Value::Double(_)) => double(a)?.partial_cmp(&double(b)?),
        _ => Some(int(a)?.cmp(&int(b)?)),
    };
    Ok(Value::Bool(match function {
        Function::Equal => order.is_some_and(|order| order.is_eq()),
        Function::NotEqual => !order.is_some_and(|order| order.is_eq()),
        Function::Less => order.is_some_and(|order| order.is_lt()),
        _ => order.is_some_and(|order| order.is_le()),
    }))
}

fn extreme(least: bool, values: &[Value]) -> Result<Value, EvalError> {
    if values.iter().any(|value| matches!(value, Value::Double(_))) {
        let mut best = double(values[0])?;
        for value in &values[1..] {
            let value = double(*value)?;
            // As in pgbench, what cannot be compared gives way to what follows it.
            let stays = if least { best < value } else { best > value };
            if !stays {
                best = value;
            }
        }
        return Ok(Value::Double(best));
    }
    let mut best = int(values[0])?;
    for value in &values[1..] {
        let value = int(*value)?;
        best = if least { best.min(value) } else { best.max(value) };
    }
    Ok(Value::Int(best))
}

/// A whole number: halves are rounded to the even one.
fn int(value: Value) -> Result<i64, EvalError> {
    match value {
        Value::Int(value) => Ok(value),
        Value::Double(value) => {
            let rounded = value.round_ties_even();
            // 2⁶³ can be written as a double, and the greatest whole number cannot.
            let fits = rounded >= i64::MIN as f64 && rounded < i64::MAX as f64;
            if fits { Ok(rounded as i64) } else { Err(EvalError::DoubleNotInt(value)) }
        }
        Value::Null | Value::Bool(_) => Err(EvalError::Coercion { from: value.type_name(), to: "int" }),
    }
}

fn double(value: Value) -> Result<f64, EvalError> {
    match value {
        Value::Int(value) => Ok(value as f64),
        Value::Double(value) => Ok(value),
        Value::Null | Value::Bool(_) => Err(EvalError::Coercion { from: value.type_name(), to: "double" }),
    }
}

fn boolean(value: Value) -> Result<bool, EvalError> {
    match value {
        Value::Bool(value) => Ok(value),
        _ => Err(EvalError::Coercion { from: value.type_name(), to: "boolean" }),
    }
}
