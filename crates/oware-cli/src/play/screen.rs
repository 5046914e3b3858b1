//! The full screen: a picker with arrow keys that shows what the chosen move would do.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use oware_app::{Choice, Control, Turn};
use oware_rules::{House, Move, OfferKind, Side};
use ratatui::DefaultTerminal;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::args::{Counts, PlayArgs};
use super::board::{LEGEND, Picture};
use super::session::{Saved, Session};
use super::words;

/// Less than this cannot hold the board and a message.
const SMALLEST: (u16, u16) = (50, 18);
const KEYS: &str = "arrows choose  Enter plays  u undo  r redo  h hint  o loop  d draw  \
    y accept  n decline  c counts  f flip  s save  R resign  ? help  q quit";
const HELP: &str = "The brackets show the chosen house, the board below them what it would do. \
    Left and right (or the letters a to f) choose, Enter plays. o offers to end the game as a \
    loop, d offers a draw; y and n answer an offer. c hides or shows the numbers, f turns the \
    board. Every move is saved: q leaves, and the game goes on next time.";

/// A computer at work.
struct Thinking {
    control: Arc<Control>,
    answer: Receiver<Option<Choice>>,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.control.stop();
    }
}

struct Screen {
    session: Session,
    chosen: usize,
    counts: bool,
    ascii: bool,
    quiet: bool,
    flipped: bool,
    thinking: Option<Thinking>,
    said: Vec<String>,
    /// Resigning takes the key twice.
    resigning: bool,
}

/// Plays on the full screen. The terminal is given back however the game is left.
pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<()> {
    let (session, said) = Session::open(args, &mut ask)?;
    let left = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&left))?;
    }
    let mut screen = Screen {
        session,
        chosen: 0,
        counts: args.counts == Counts::Shown,
        ascii: args.ascii,
        quiet: args.quiet,
        flipped: false,
        thinking: None,
        said,
        resigning: false,
    };
    screen.choose_first();
    let mut terminal = ratatui::try_init()?;
    let result = screen.event_loop(&mut terminal, &left);
    ratatui::restore();
    result
}

/// Asks, before the full screen is taken, what to do with a saved game.
fn ask(about: &str) -> anyhow::Result<Saved> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    write!(out, "{about} Go on with it? [Y/n] ")?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    let no = answer.trim().to_lowercase().starts_with('n');
    Ok(if no { Saved::Aside } else { Saved::Resume })
}

impl Screen {
    fn event_loop(
        &mut self,
        terminal: &mut DefaultTerminal,
        left: &AtomicBool,
    ) -> anyhow::Result<()> {
        while !left.load(Ordering::Relaxed) {
            self.think()?;
            terminal.draw(|frame| self.draw(frame))?;
            if !event::poll(Duration::from_millis(50))? {
                continue;
            }
            let Event::Key(key) = event::read()? else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            if !self.key(key)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Sets the computer to work, or takes its answer.
    fn think(&mut self) -> anyhow::Result<()> {
        let Some(computer) = self.session.table.computer_to_move() else {
            self.thinking = None;
            return Ok(());
        };
        let Some(thinking) = &self.thinking else {
            let control = Arc::new(Control::new());
            let (sender, answer) = channel();
            let (game, told) = (self.session.table.game().clone(), Arc::clone(&control));
            let tables = self.session.table.knowledge().cloned();
            let think = move || computer.choose(&game, tables.as_ref(), &told);
            std::thread::spawn(move || sender.send(think()));
            self.thinking = Some(Thinking { control, answer });
            return Ok(());
        };
        match thinking.answer.try_recv() {
            Err(TryRecvError::Empty) => {}
            Ok(Some(choice)) => {
                self.thinking = None;
                self.play(choice.house)?;
            }
            // A computer that has no move or died: the game waits, nothing is lost.
            Ok(None) | Err(TryRecvError::Disconnected) => self.thinking = None,
        }
        Ok(())
    }

    fn legal(&self) -> Vec<Move> {
        self.session.table.game().legal_moves().iter().collect()
    }

    fn choose_first(&mut self) {
        self.chosen = self.legal().first().map_or(0, |mv| mv.index());
    }

    fn chosen_move(&self) -> Option<Move> {
        let mv = Move::new(self.chosen)?;
        let waits = self.session.table.computer_to_move().is_some();
        (!waits && self.session.table.game().legal_moves().contains(mv)).then_some(mv)
    }

    fn play(&mut self, house: House) -> anyhow::Result<()> {
        let said = match self.session.play(house)? {
            Ok(mut said) => {
                if self.quiet && !self.session.table.game().is_over() {
                    said.truncate(1);
                }
                said
            }
            Err(refusal) => vec![refusal],
        };
        self.say(said);
        self.choose_first();
        if self.session.table.game().is_over() && self.session.is_series() {
            self.say(vec!["Press Enter for what comes next.".into()]);
        }
        Ok(())
    }

    /// Adds what was said; the last few lines stay on the screen.
    fn say(&mut self, said: Vec<String>) {
        self.said.extend(said);
        let surplus = self.said.len().saturating_sub(8);
        self.said.drain(..surplus);
    }

    /// Goes to the chosen house's neighbour among the legal ones, as seen on the screen.
    fn choose_next(&mut self, right: bool) {
        let turned = self.session.table.game().position().to_move() != self.seat();
        let legal = self.legal();
        let at = legal.iter().position(|mv| mv.index() == self.chosen).unwrap_or(0);
        let step = if right != turned { 1 } else { legal.len().saturating_sub(1) };
        if let Some(mv) = legal.get((at + step) % legal.len().max(1)) {
            self.chosen = mv.index();
        }
    }

    /// Gives `false` to leave.
    fn key(&mut self, key: KeyEvent) -> anyhow::Result<bool> {
        let resigning = std::mem::take(&mut self.resigning);
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return Ok(!matches!(key.code, KeyCode::Char('c' | 'd')));
        }
        let over = self.session.table.game().is_over();
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Ok(false),
            KeyCode::Enter | KeyCode::Char(' ') if over => return self.after_the_end(),
            KeyCode::Left | KeyCode::Up => self.choose_next(false),
            KeyCode::Right | KeyCode::Down | KeyCode::Tab => self.choose_next(true),
            KeyCode::Enter | KeyCode::Char(' ') => {
                if let Some(mv) = self.chosen_move() {
                    let side = self.session.table.game().position().to_move();
                    self.play(House::of(side, mv))?;
                }
            }
            KeyCode::Char('?') => self.say(vec![HELP.into()]),
            KeyCode::Char('c') => self.counts = !self.counts,
            KeyCode::Char('f') => self.flipped = !self.flipped,
            KeyCode::Char('R') if !resigning => {
                self.resigning = true;
                self.say(vec!["Press R once more to resign.".into()]);
            }
            KeyCode::Char(letter) => {
                let said = self.letter(letter)?;
                self.say(said.into_iter().collect());
            }
            _ => {}
        }
        Ok(true)
    }

    fn letter(&mut self, letter: char) -> anyhow::Result<Option<String>> {
        Ok(Some(match letter {
            'u' | 'r' => {
                self.thinking = None;
                let said = self.session.step(letter == 'u')?;
                self.choose_first();
                said
            }
            'h' if self.thinking.is_none() => self.session.hint(),
            'o' => self.session.offer(OfferKind::Loop)?,
            'd' => self.session.offer(OfferKind::Draw)?,
            'y' | 'n' => self.session.answer(letter == 'y')?,
            'R' => self.session.resign()?,
            's' => match self.session.save(None) {
                Ok(()) => "Saved.".into(),
                Err(error) => format!("Not saved: {error:#}."),
            },
            'A'..='F' => {
                self.chosen = letter as usize - 'A' as usize;
                return Ok(None);
            }
            _ => return Ok(None),
        }))
    }

    fn after_the_end(&mut self) -> anyhow::Result<bool> {
        let Some(end) = self.session.table.game().ending() else { return Ok(true) };
        if !self.session.is_series() {
            return Ok(false);
        }
        let (tally, more) = self.session.next_game(end)?;
        self.said.clear();
        self.say(vec![tally]);
        self.choose_first();
        Ok(more)
    }

    fn seat(&self) -> Side {
        let table = &self.session.table;
        let people =
            Side::BOTH.into_iter().filter(|&side| table.player(side) == oware_app::Player::Person);
        let seat = match people.collect::<Vec<_>>()[..] {
            [side] => side,
            _ => Side::South,
        };
        if self.flipped { seat.other() } else { seat }
    }

    fn picture(
        &self,
        position: &oware_rules::Position,
        marks: Option<&Turn>,
        chosen: bool,
    ) -> Vec<String> {
        let mover = self.session.table.game().position().to_move();
        let chosen = self.chosen_move().filter(|_| chosen).map(|mv| House::of(mover, mv));
        let (counts, ascii, seat) = (self.counts, self.ascii, self.seat());
        Picture { position, marks, chosen, counts, seat, ascii }.lines()
    }

    fn draw(&self, frame: &mut Frame) {
        let area = frame.area();
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            let text = format!("The terminal is too small: {}x{} needed.", SMALLEST.0, SMALLEST.1);
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
            return;
        }
        let game = self.session.table.game();
        let position = *game.position();
        let last = self.session.table.last_turn();
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let title = format!(
            "Oware, {}, game {}, ply {}",
            game.rules(),
            self.session.number,
            game.plies().len()
        );
        let mut lines = vec![Line::styled(title, bold)];
        lines.extend(self.picture(&position, last.as_ref(), true).into_iter().map(Line::from));
        lines.push(Line::from(LEGEND));
        lines.extend(self.preview().into_iter().map(Line::from));
        let keys = 2.min(area.height);
        let body = Rect { height: area.height - keys, ..area };
        // The newest messages matter most: as many as there is room for.
        let room = usize::from(body.height).saturating_sub(lines.len());
        let mut rows = 0;
        let fitting = self.said.iter().rev().take_while(|text| {
            rows += text.chars().count() / usize::from(area.width) + 1;
            rows <= room
        });
        let mut messages: Vec<Line> = fitting.map(|text| Line::from(text.as_str())).collect();
        messages.reverse();
        lines.extend(messages);
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), body);
        let foot = Rect { y: area.y + area.height - keys, height: keys, ..area };
        frame.render_widget(Paragraph::new(KEYS).wrap(Wrap { trim: true }), foot);
    }

    /// What the chosen move would do, or why there is no choice.
    fn preview(&self) -> Vec<String> {
        let game = self.session.table.game();
        let position = *game.position();
        if let Some(end) = game.ending() {
            return vec![
                words::ending(&end, game.rules()),
                "Enter or q leaves, u takes back.".into(),
            ];
        }
        if self.thinking.is_some() {
            return vec![format!("{} is thinking...", position.to_move())];
        }
        let Some(mv) = self.chosen_move() else {
            return vec!["That house cannot be played; choose another.".into()];
        };
        let after = position.play_unchecked(mv);
        let turn = self.session.table.preview(mv);
        let mut lines = vec![format!("{} would do this:", House::of(position.to_move(), mv))];
        let board = self.picture(&after, Some(&turn), false);
        lines.extend(board.into_iter().filter(|line| line.contains("store")));
        lines
    }
}
