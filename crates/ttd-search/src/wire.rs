//! Values as bytes, for messages between workers that share no memory.
//!
//! Whole numbers take a byte for each seven bits (LEB128), so that most take one. Both ends are one
//! program: nothing is told of types or versions.

use arrayvec::ArrayVec;

/// A value that can be sent as bytes.
///
/// ```
/// use ttd_search::wire::Portable;
///
/// let mut bytes = Vec::new();
/// (7_u64, Some(-300_i32)).put(&mut bytes);
/// assert_eq!(bytes.len(), 4);
/// assert_eq!(Portable::take(&mut &bytes[..]), Some((7_u64, Some(-300_i32))));
/// ```
pub trait Portable: Sized {
    /// Appends the value.
    fn put(&self, bytes: &mut Vec<u8>);

    /// Takes the value from the front; none if it is not there.
    fn take(bytes: &mut &[u8]) -> Option<Self>;

    /// The value as bytes.
    fn packed(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.put(&mut bytes);
        bytes
    }
}

impl Portable for u64 {
    fn put(&self, bytes: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }

    fn take(bytes: &mut &[u8]) -> Option<u64> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (&byte, rest) = bytes.split_first()?;
            *bytes = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

impl Portable for usize {
    fn put(&self, bytes: &mut Vec<u8>) {
        (*self as u64).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<usize> {
        usize::try_from(u64::take(bytes)?).ok()
    }
}

/// Small numbers of either sign are small: 0, -1, 1, -2 and so on.
impl Portable for i32 {
    fn put(&self, bytes: &mut Vec<u8>) {
        u64::from(((self << 1) ^ (self >> 31)) as u32).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<i32> {
        let folded = u32::try_from(u64::take(bytes)?).ok()?;
        Some((folded >> 1) as i32 ^ -((folded & 1) as i32))
    }
}

impl Portable for bool {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    fn take(bytes: &mut &[u8]) -> Option<bool> {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        (byte <= 1).then_some(byte == 1)
    }
}

impl Portable for String {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.len().put(bytes);
        bytes.extend_from_slice(self.as_bytes());
    }

    fn take(bytes: &mut &[u8]) -> Option<String> {
        let length = usize::take(bytes)?;
        let (text, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}

impl<T: Portable> Portable for Option<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.is_some().put(bytes);
        if let Some(value) = self {
            value.put(bytes);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Option<T>> {
        if bool::take(bytes)? { T::take(bytes).map(Some) } else { Some(None) }
    }
}

impl<A: Portable, B: Portable> Portable for (A, B) {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
        self.1.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<(A, B)> {
        Some((A::take(bytes)?, B::take(bytes)?))
    }
}

impl<T: Portable> Portable for Vec<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.len().put(bytes);
        for value in self {
            value.put(bytes);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Vec<T>> {
        let length = usize::take(bytes)?;
        // No value is shorter than a byte: a wrong length must not take all memory.
        if length > bytes.len() {
            return None;
        }
        (0..length).map(|_| T::take(bytes)).collect()
    }
}

impl<T: Portable, const ROOM: usize> Portable for ArrayVec<T, ROOM> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.len().put(bytes);
        for value in self {
            value.put(bytes);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<ArrayVec<T, ROOM>> {
        let length = usize::take(bytes)?;
        let mut all = ArrayVec::new();
        for _ in 0..length {
            all.try_push(T::take(bytes)?).ok()?;
        }
        Some(all)
    }
}

impl<T: Portable, const LENGTH: usize> Portable for [T; LENGTH] {
    fn put(&self, bytes: &mut Vec<u8>) {
        for value in self {
            value.put(bytes);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<[T; LENGTH]> {
        let all: ArrayVec<T, LENGTH> = (0..LENGTH).map_while(|_| T::take(bytes)).collect();
        all.into_inner().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back<T: Portable + PartialEq + std::fmt::Debug>(value: &T) {
        let bytes = value.packed();
        let mut rest = &bytes[..];
        assert_eq!(T::take(&mut rest).as_ref(), Some(value));
        assert!(rest.is_empty(), "{value:?} left {rest:?}");
        for length in 0..bytes.len() {
            // A part of it is something else or nothing, and no panic.
            let _: Option<T> = T::take(&mut &bytes[..length]);
        }
    }

    #[test]
    fn values_come_as_they_went() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            there_and_back(&number);
        }
        for number in [0, -1, 1, 63, -64, 64, i32::MIN, i32::MAX] {
            there_and_back(&number);
        }
        there_and_back(&(vec![Some(5_usize), None], [true, false]));
        there_and_back(&"a word".to_owned());
        there_and_back(&ArrayVec::<u64, 3>::from([1, 2, 3]));
    }

    #[test]
    fn other_bytes_are_no_value() {
        assert_eq!(u64::take(&mut &[0x80; 20][..]), None, "it never ends");
        assert_eq!(bool::take(&mut &[2][..]), None);
        assert_eq!(<Vec<u64>>::take(&mut &[200, 1, 0][..]), None, "shorter than it says");
        assert_eq!(<ArrayVec<u64, 1> as Portable>::take(&mut &[2, 0, 0][..]), None, "no room");
        assert_eq!(String::take(&mut &[1, 0xff][..]), None);
    }
}
