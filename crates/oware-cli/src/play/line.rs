//! Plain lines: what is said once is read once, nothing moves, and every command is a word.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;

use oware_app::Control;
use oware_rules::{House, OfferKind, Side};

use super::args::{Counts, PlayArgs};
use super::board::Picture;
use super::session::{Saved, Session};
use super::words;

const HELP: &str = "\
Type the letter of one of your houses to play it. Other words:
  board            show the board and say the rows
  moves            say what each legal move would do
  count A          say how many seeds a house holds
  counts on | off  show numbers, or only on request
  hint             what the computer would play
  undo, redo       take back, and forward again
  offer loop       offer to end the game as a loop: seeds are shared by the rules
  offer draw       offer a draw
  accept, decline  answer an offer
  resign           give the game up
  save [FILE]      save now, or a copy to a file (every move is saved by itself)
  quit             leave; the game goes on next time";

/// The longest line that is looked at.
const MOST_BYTES: u64 = 4096;

/// What to do after a line.
enum Next {
    Go,
    Leave,
}

struct Lines {
    session: Session,
    counts: bool,
    ascii: bool,
    quiet: bool,
}

fn say(text: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// The next line, without its end; `None` at the end of input. What is too long or not text
/// comes as a line that no command matches.
fn read_line() -> anyhow::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut input = stdin().lock();
    let mut limited = std::io::Read::take(&mut input, MOST_BYTES);
    if limited.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == MOST_BYTES && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some("(a line that is too long)".into()));
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

/// Plays in lines until the series is over, the input ends or somebody leaves.
pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<()> {
    let (session, said) = Session::open(args, &mut |_| Ok(Saved::Resume))?;
    let counts = args.counts == Counts::Shown;
    let mut lines = Lines { session, counts, ascii: args.ascii, quiet: args.quiet };
    for sentence in said {
        say(&sentence)?;
    }
    if !lines.quiet {
        say("Oware in plain lines. Type help for the words you can use.")?;
        lines.board()?;
    }
    loop {
        if let Some(end) = lines.session.table.game().ending() {
            let (tally, more) = lines.session.next_game(end)?;
            if lines.session.is_series() {
                say(&tally)?;
            }
            if !more {
                return Ok(());
            }
            lines.board()?;
            continue;
        }
        if let Some(computer) = lines.session.table.computer_to_move() {
            let game = lines.session.table.game();
            let tables = lines.session.table.knowledge();
            if let Some(choice) = computer.choose(game, tables, &Control::new()) {
                lines.play(choice.house)?;
            }
            continue;
        }
        lines.prompt()?;
        let Some(text) = read_line()? else {
            say("")?;
            return say("The game is saved and goes on next time.");
        };
        if let Next::Leave = lines.command(&text)? {
            return Ok(());
        }
    }
}

impl Lines {
    fn prompt(&self) -> anyhow::Result<()> {
        let side = self.session.table.game().position().to_move();
        let mut out = stdout().lock();
        write!(out, "{side} to move> ")?;
        Ok(out.flush()?)
    }

    fn board(&self) -> anyhow::Result<()> {
        let position = *self.session.table.game().position();
        let seat = self.session.table.person().unwrap_or(Side::South);
        let last = self.session.table.last_turn();
        let picture = Picture {
            position: &position,
            marks: last.as_ref(),
            chosen: None,
            counts: self.counts,
            seat,
            ascii: self.ascii,
        };
        for line in picture.lines() {
            say(line.trim_end())?;
        }
        for side in [seat.other(), seat] {
            let row = words::row(&position.houses(), side, self.counts);
            say(&format!("{side}: {row}; store {}.", position.store(side)))?;
        }
        Ok(())
    }

    fn play(&mut self, house: House) -> anyhow::Result<()> {
        match self.session.play(house)? {
            Ok(said) => {
                for (index, sentence) in said.iter().enumerate() {
                    let needed = index == 0 || self.session.table.game().is_over();
                    if needed || !self.quiet {
                        say(sentence)?;
                    }
                }
                if !self.quiet && self.session.table.computer_to_move().is_none() {
                    self.board()?;
                }
                Ok(())
            }
            Err(refusal) => say(&refusal),
        }
    }

    fn moves(&self) -> anyhow::Result<()> {
        let table = &self.session.table;
        for mv in table.game().legal_moves() {
            let turn = table.preview(mv);
            say(&words::turn(&turn))?;
            for sentence in words::surprises(&turn, 1) {
                say(&format!("  {sentence}"))?;
            }
        }
        Ok(())
    }

    fn count(&self, letter: &str) -> anyhow::Result<()> {
        match letter.parse::<House>() {
            Ok(house) => {
                let seeds = self.session.table.game().position().seeds(house);
                say(&format!("{house} holds {}.", words::seeds(seeds.get())))
            }
            Err(error) => say(&format!("{error}.")),
        }
    }

    fn command(&mut self, text: &str) -> anyhow::Result<Next> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match (word.to_lowercase().as_str(), rest) {
            ("", _) => {}
            ("help" | "?", _) => say(HELP)?,
            ("board", _) => self.board()?,
            ("moves", _) => self.moves()?,
            ("count", letter) => self.count(letter)?,
            ("counts", "on") => self.counts = true,
            ("counts", "off") => self.counts = false,
            ("hint", _) => say(&self.session.hint())?,
            ("undo", _) => self.stepped(true)?,
            ("redo", _) => self.stepped(false)?,
            ("offer", "loop") => say(&self.session.offer(OfferKind::Loop)?)?,
            ("offer", "draw") => say(&self.session.offer(OfferKind::Draw)?)?,
            ("accept", _) => say(&self.session.answer(true)?)?,
            ("decline", _) => say(&self.session.answer(false)?)?,
            ("resign", _) => say(&self.session.resign()?)?,
            ("save", file) => self.save(file)?,
            ("quit" | "exit", _) => {
                say("The game is saved and goes on next time.")?;
                return Ok(Next::Leave);
            }
            _ => self.house(text)?,
        }
        Ok(Next::Go)
    }

    fn stepped(&mut self, back: bool) -> anyhow::Result<()> {
        let said = self.session.step(back)?;
        say(&said)?;
        if self.quiet { Ok(()) } else { self.board() }
    }

    fn save(&self, file: &str) -> anyhow::Result<()> {
        let path = (!file.is_empty()).then(|| Path::new(file));
        match self.session.save(path) {
            Ok(()) => say("Saved."),
            Err(error) => say(&format!("Not saved: {error:#}.")),
        }
    }

    /// A letter means the mover's own house, whatever its case.
    fn house(&mut self, text: &str) -> anyhow::Result<()> {
        let side = self.session.table.game().position().to_move();
        let own = match side {
            Side::South => text.to_ascii_uppercase(),
            Side::North => text.to_ascii_lowercase(),
        };
        match own.parse() {
            Ok(house) => self.play(house),
            Err(_) => {
                let shown: String = text.chars().take(30).collect();
                say(&format!(
                    "I do not know {shown:?}: expected a letter from A to F, or a word of help."
                ))
            }
        }
    }
}
