//! Integers and strings inside one message: little-endian, or prefixed by their own length.

use super::Fault;

/// Reads a message field by field; every read past the end is a [`Fault::Malformed`] naming the message.
#[derive(Debug, Clone, Copy)]
pub struct Bytes<'a> {
    rest: &'a [u8],
    what: &'static str,
}

impl<'a> Bytes<'a> {
    /// Starts at the first byte. `what` names the message in faults.
    #[inline]
    pub fn new(message: &'a [u8], what: &'static str) -> Self {
        Bytes { rest: message, what }
    }

    /// A fault that names this message.
    #[cold]
    pub fn fault(&self) -> Fault {
        Fault::Malformed(self.what)
    }

    /// Whether nothing is left.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// How many bytes are left.
    #[inline]
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// All that is left.
    #[inline]
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// The next `n` bytes.
    #[inline]
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Fault> {
        let Some((head, rest)) = self.rest.split_at_checked(n) else { return Err(self.fault()) };
        self.rest = rest;
        Ok(head)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let Some((head, rest)) = self.rest.split_first_chunk::<N>() else { return Err(self.fault()) };
        self.rest = rest;
        Ok(*head)
    }

    /// One byte.
    #[inline]
    pub fn u8(&mut self) -> Result<u8, Fault> {
        Ok(self.array::<1>()?[0])
    }

    /// Two bytes.
    #[inline]
    pub fn u16(&mut self) -> Result<u16, Fault> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// Three bytes.
    #[inline]
    pub fn u24(&mut self) -> Result<u32, Fault> {
        let [a, b, c] = self.array()?;
        Ok(u32::from_le_bytes([a, b, c, 0]))
    }

    /// Four bytes.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Eight bytes.
    #[inline]
    pub fn u64(&mut self) -> Result<u64, Fault> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A length-encoded integer. 0xFB (NULL in a text row) and 0xFF are no integers.
    #[inline]
    pub fn lenenc(&mut self) -> Result<u64, Fault> {
        match self.u8()? {
            small @ 0..=0xFA => Ok(small.into()),
            0xFC => Ok(self.u16()?.into()),
            0xFD => Ok(self.u24()?.into()),
            0xFE => self.u64(),
            _ => Err(self.fault()),
        }
    }

    /// A string prefixed by its length-encoded length.
    #[inline]
    pub fn lenenc_str(&mut self) -> Result<&'a [u8], Fault> {
        let n = self.lenenc()?;
        usize::try_from(n).map_err(|_| self.fault()).and_then(|n| self.take(n))
    }

    /// A string terminated by a zero byte.
    pub fn nul_str(&mut self) -> Result<&'a [u8], Fault> {
        let end = self.rest.iter().position(|&b| b == 0).ok_or_else(|| self.fault())?;
        let text = self.take(end)?;
        self.take(1)?;
        Ok(text)
    }
}

/// Appends a length-encoded integer.
#[inline]
pub fn put_lenenc(out: &mut Vec<u8>, value: u64) {
    match value {
        0..=0xFA => out.push(value as u8),
        0xFB..=0xFFFF => {
            out.push(0xFC);
            out.extend_from_slice(&(value as u16).to_le_bytes());
        }
        0x1_0000..=0xFF_FFFF => {
            out.push(0xFD);
            out.extend_from_slice(&(value as u32).to_le_bytes()[..3]);
        }
        _ => {
            out.push(0xFE);
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// Appends a string prefixed by its length-encoded length.
#[inline]
pub fn put_lenenc_str(out: &mut Vec<u8>, text: &[u8]) {
    put_lenenc(out, text.len() as u64);
    out.extend_from_slice(text);
}

/// Appends a string and its terminating zero byte. `text` must not contain a zero byte.
pub fn put_nul_str(out: &mut Vec<u8>, text: &[u8]) {
    out.extend_from_slice(text);
    out.push(0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lenenc_comes_back(value: u64, shift in 0u32..64) {
            let value = value >> shift;
            let mut out = Vec::new();
            put_lenenc(&mut out, value);
            let mut bytes = Bytes::new(&out, "test");
            prop_assert_eq!(bytes.lenenc().unwrap(), value);
            prop_assert!(bytes.is_empty());
        }
    }

    #[test]
    fn a_length_beyond_the_message_is_a_fault() {
        let message = [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1];
        assert_eq!(Bytes::new(&message, "row").lenenc_str(), Err(Fault::Malformed("row")));
        assert_eq!(Bytes::new(&[0xFB], "row").lenenc(), Err(Fault::Malformed("row")));
        assert_eq!(Bytes::new(b"no end", "name").nul_str(), Err(Fault::Malformed("name")));
    }
}
