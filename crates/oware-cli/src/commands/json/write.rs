//! Writing JSON straight into a buffer that is used again for every line.

use oware_rules::HalfSeeds;

/// Decimal digits of the numbers a board can show.
static SMALL: [&[u8]; 100] = small_numbers();

const fn small_numbers() -> [&'static [u8]; 100] {
    const DIGITS: &[u8; 200] = b"0001020304050607080910111213141516171819\
2021222324252627282930313233343536373839\
4041424344454647484950515253545556575859\
6061626364656667686970717273747576777879\
8081828384858687888990919293949596979899";
    let mut numbers: [&'static [u8]; 100] = [b""; 100];
    let mut n = 0;
    while n < 100 {
        let (_, from) = DIGITS.split_at(if n < 10 { 2 * n + 1 } else { 2 * n });
        (numbers[n], _) = from.split_at(if n < 10 { 1 } else { 2 });
        n += 1;
    }
    numbers
}

/// A whole number.
pub(crate) fn push_number(out: &mut Vec<u8>, number: usize) {
    match SMALL.get(number) {
        Some(digits) => out.extend_from_slice(digits),
        None => out.extend_from_slice(number.to_string().as_bytes()),
    }
}

/// A list of seeds.
pub(crate) fn push_houses(out: &mut Vec<u8>, numbers: &[u8]) {
    out.push(b'[');
    for (place, &number) in numbers.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        push_number(out, usize::from(number));
    }
    out.push(b']');
}

/// Two scores: whole ones without a fraction, halves as `23.5`.
pub(crate) fn push_halves(out: &mut Vec<u8>, scores: [HalfSeeds; 2]) {
    for (opening, score) in [b'[', b','].into_iter().zip(scores) {
        out.push(opening);
        push_number(out, usize::from(score.halves() / 2));
        if score.halves() % 2 == 1 {
            out.extend_from_slice(b".5");
        }
    }
    out.push(b']');
}

/// `true` or `false`.
pub(crate) fn push_bool(out: &mut Vec<u8>, value: bool) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

/// A string with its quotes and escapes.
pub(crate) fn push_text(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("a string can always be written to memory");
}

/// A string, or `null` where there is none.
pub(crate) fn push_text_or_null(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        Some(text) => push_text(out, text),
        None => out.extend_from_slice(b"null"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers() {
        for n in 0..1000 {
            assert_eq!(written(|out| push_number(out, n)), n.to_string());
        }
    }

    #[test]
    fn lists_and_texts() {
        assert_eq!(written(|out| push_houses(out, &[])), "[]");
        assert_eq!(written(|out| push_houses(out, &[0, 48])), "[0,48]");
        assert_eq!(written(|out| push_halves(out, [HalfSeeds(47), HalfSeeds(48)])), "[23.5,24]");
        assert_eq!(written(|out| push_text(out, "a\"\n\0é")), "\"a\\\"\\n\\u0000é\"");
    }
}
