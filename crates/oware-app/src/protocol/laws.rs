//! What must hold for any input whatever: the fuzz target and the tests call these.

use super::{Command, Event, Settings, read_event};

/// Bytes are read as lines without a fault, each of which is a command that can be written and
/// read again, or is refused with a reason that fits a line; options are set or left as they
/// were. Gives how many lines were commands.
///
/// # Panics
/// If the law does not hold.
pub fn input(mut bytes: &[u8]) -> usize {
    let mut commands = 0;
    let mut settings = Settings::default();
    loop {
        let text = match read_event(&mut bytes).expect("memory can be read") {
            Event::Line(text) => text,
            Event::Refused { why, .. } => {
                assert!(fits_a_line(&why), "{why:?}");
                continue;
            }
            event => {
                assert_eq!(event, Event::End);
                return commands;
            }
        };
        match Command::parse(&text) {
            Ok(None) => assert!(text.trim_ascii().is_empty(), "{text:?}"),
            Ok(Some(command)) => {
                commands += 1;
                let written = command.to_string();
                assert_eq!(Command::parse(&written), Ok(Some(command.clone())), "{written:?}");
                if let Command::SetOption { name, value } = command {
                    option(&mut settings, &name, value.as_deref());
                }
            }
            Err(error) => assert!(fits_a_line(&error.why), "{error:?}"),
        }
    }
}

fn option(settings: &mut Settings, name: &str, value: Option<&str>) {
    let before = settings.clone();
    if let Err(error) = settings.set(name, value) {
        assert_eq!(*settings, before);
        assert!(fits_a_line(&error.to_string()), "{error:?}");
    }
}

fn fits_a_line(text: &str) -> bool {
    !text.is_empty() && !text.contains(|letter: char| letter.is_ascii_control())
}
