//! The commands of the protocol: what a line says.

use std::fmt;

use super::{Go, shown};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Who are you, and what can be set?
    Uci,
    /// Whether every command understood is told back.
    Debug(bool),
    /// Are you there?
    IsReady,
    /// Sets an option.
    SetOption {
        /// Its name; words are parted by one space.
        name: String,
        /// The text after `value`; `None` if that word is missing.
        value: Option<String>,
    },
    /// What follows has nothing to do with what was.
    NewGame,
    /// Where the game stands.
    Position {
        /// A position string; `None` for the start of a game. Words are parted by one space.
        fen: Option<String>,
        /// The moves from there, as letters without spaces. Not looked at yet.
        moves: String,
    },
    /// Searches.
    Go(Go),
    /// Ends the search.
    Stop,
    /// The opponent played the move that is pondered on.
    PonderHit,
    /// Lets no later line be looked at before the search has ended.
    Wait,
    /// Ends the session.
    Quit,
    /// Of programs that ask for a licence. We do not.
    Register,
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandError {
    /// The first word of the line.
    pub command: String,
    /// What is wrong, with what was expected.
    pub why: String,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for CommandError {}

impl Command {
    /// Reads a line; `None` if it is blank. Words that follow a command without parameters are
    /// passed over.
    ///
    /// # Errors
    /// [`CommandError`] when the command is not known, or its parameters cannot be read.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let (word, rest) = first_word(line);
        let command = match word {
            "" => return Ok(None),
            "uci" => Ok(Command::Uci),
            "debug" => debug(rest),
            "isready" => Ok(Command::IsReady),
            "setoption" => set_option(rest),
            "ucinewgame" => Ok(Command::NewGame),
            "position" => position(rest),
            "go" => Go::parse(rest).map(Command::Go).map_err(|why| format!("go: {why}")),
            "stop" => Ok(Command::Stop),
            "ponderhit" => Ok(Command::PonderHit),
            "wait" => Ok(Command::Wait),
            "quit" => Ok(Command::Quit),
            "register" => Ok(Command::Register),
            _ => Err(format!("unknown command {}", shown(word))),
        };
        command.map(Some).map_err(|why| CommandError { command: word.to_owned(), why })
    }
}

/// The first word of a text, and what follows it; both without white space around them.
pub(super) fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii();
    let end = text.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii())
}

/// What stands before and after the first place where `word` stands alone.
fn split_at_word<'t>(text: &'t str, word: &str) -> (&'t str, Option<&'t str>) {
    let mut from = 0;
    while let Some(found) = text[from..].find(word) {
        let (start, end) = (from + found, from + found + word.len());
        let alone = |beside: Option<char>| beside.is_none_or(|c| c.is_ascii_whitespace());
        if alone(text[..start].chars().next_back()) && alone(text[end..].chars().next()) {
            return (text[..start].trim_ascii(), Some(text[end..].trim_ascii()));
        }
        from = end;
    }
    (text.trim_ascii(), None)
}

fn words_joined(text: &str, by: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(by)
}

fn debug(rest: &str) -> Result<Command, String> {
    match rest {
        "" | "on" => Ok(Command::Debug(true)),
        "off" => Ok(Command::Debug(false)),
        _ => Err(format!("debug: found {}, expected on or off", shown(rest))),
    }
}

fn set_option(rest: &str) -> Result<Command, String> {
    let (word, rest) = first_word(rest);
    if word != "name" {
        let found = if word.is_empty() { "nothing".to_owned() } else { shown(word) };
        return Err(format!("setoption: found {found}, expected name NAME value VALUE"));
    }
    let (name, value) = split_at_word(rest, "value");
    if name.is_empty() {
        return Err("setoption: the name is missing, expected name NAME value VALUE".to_owned());
    }
    Ok(Command::SetOption { name: words_joined(name, " "), value: value.map(str::to_owned) })
}

fn position(rest: &str) -> Result<Command, String> {
    let (word, rest) = first_word(rest);
    let (before, moves) = split_at_word(rest, "moves");
    let moves = moves.map_or_else(String::new, |moves| words_joined(moves, ""));
    match (word, before) {
        ("startpos", "") => Ok(Command::Position { fen: None, moves }),
        ("startpos", other) => {
            Err(format!("position: found {} after startpos, expected moves", shown(other)))
        }
        ("fen", "") => Err("position: the position string after fen is missing".to_owned()),
        ("fen", fen) => Ok(Command::Position { fen: Some(words_joined(fen, " ")), moves }),
        _ => {
            let found = if word.is_empty() { "nothing".to_owned() } else { shown(word) };
            Err(format!("position: found {found}, expected startpos or fen POSITION"))
        }
    }
}

impl fmt::Display for Command {
    /// The line that says so, in its canonical form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(true) => f.write_str("debug on"),
            Command::Debug(false) => f.write_str("debug off"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position { fen, moves } => {
                match fen {
                    None => f.write_str("position startpos")?,
                    Some(fen) => write!(f, "position fen {fen}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {moves}") }
            }
            Command::Go(go) => write!(f, "go{go}"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Wait => f.write_str("wait"),
            Command::Quit => f.write_str("quit"),
            Command::Register => f.write_str("register"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    fn fault(line: &str) -> String {
        Command::parse(line).unwrap_err().to_string()
    }

    #[test]
    fn commands_are_written_as_they_are_read() {
        for line in [
            "uci",
            "debug on",
            "debug off",
            "isready",
            "setoption name Clear Hash",
            "setoption name TablesPath value a dir  with spaces",
            "ucinewgame",
            "position startpos",
            "position startpos moves FfBeBc",
            "position fen 0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4 moves F",
            "go depth 3 nodes 5 movetime 7 infinite ponder movestogo 2 wtime 1 btime 2 winc 3 \
             binc 4 searchmoves ABC",
            "stop",
            "ponderhit",
            "wait",
            "quit",
            "register",
        ] {
            assert_eq!(read(line).to_string(), line);
        }
    }

    #[test]
    fn white_space_is_free() {
        assert_eq!(Command::parse(" \t\r"), Ok(None));
        let moves = "  position \t startpos   moves F f\tBe  Bc\r";
        assert_eq!(read(moves), Command::Position { fen: None, moves: "FfBeBc".into() });
        let option = "setoption name  Clear   Hash  value  1 \r";
        let (name, value) = ("Clear Hash".into(), Some("1".into()));
        assert_eq!(read(option), Command::SetOption { name, value });
        assert_eq!(read("quit at once"), Command::Quit);
        assert_eq!(read("debug"), Command::Debug(true));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, part) in [
            ("frob now", "unknown command \"frob\""),
            ("UCI", "unknown command"),
            ("debug maybe", "expected on or off"),
            ("setoption", "found nothing, expected name NAME"),
            ("setoption Hash 5", "found \"Hash\""),
            ("setoption name", "the name is missing"),
            ("setoption name value 5", "the name is missing"),
            ("position", "found nothing, expected startpos or fen"),
            ("position start", "found \"start\""),
            ("position fen", "missing"),
            ("position fen moves F", "missing"),
            ("position startpos F", "found \"F\" after startpos"),
        ] {
            let error = fault(line);
            assert!(error.contains(part), "{line}: {error}");
        }
        assert_eq!(Command::parse("go depth x").unwrap_err().command, "go");
        let long = fault(&"x".repeat(5000));
        assert!(long.len() < 100, "{long}");
        assert!(!fault("a\u{1b}[2J").contains('\u{1b}'));
    }
}
