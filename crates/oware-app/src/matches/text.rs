//! The small language in which engines are told: keys and values with commas between, and
//! commands of words with spaces between.

/// A word of a command, in quotes where it needs them.
pub(super) fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && !word.contains([' ', '\'', '\t']);
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// A value, in double quotes where a comma would end it.
pub(super) fn guarded(value: &str) -> String {
    let plain = !value.contains([',', '"', '\\', '\n']);
    match plain {
        true => value.to_owned(),
        false => format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

/// Keys and values between commas. Double quotes guard commas; a backslash inside them takes the
/// next letter as it is.
pub(super) fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        let Some(part) = parts.last_mut() else { break };
        match letter {
            '"' => quoted = !quoted,
            '\\' if quoted => part.extend(letters.next()),
            ',' if !quoted => parts.push(String::new()),
            other => part.push(other),
        }
    }
    if quoted {
        return Err("a double quote is not closed".into());
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts
        .map(|part| match part.split_once('=') {
            Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
            None => Err(format!("{part}: expected KEY=VALUE, with commas between")),
        })
        .collect()
}

/// The words of a command, between spaces; single quotes guard spaces, and a backslash outside
/// them takes the next letter as it is.
pub(super) fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '\\' if !quoted => word.get_or_insert_default().extend(letters.next()),
            ' ' | '\t' if !quoted => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    if quoted { Err("a single quote is not closed".into()) } else { Ok(words) }
}
