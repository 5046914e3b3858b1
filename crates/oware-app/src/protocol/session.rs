//! A session: what commands do, and in which order what they cause is said.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use oware_notation::read_position;
use oware_rules::{Game, House, MoveSet, Position, Rules};
use oware_search::{HashError, Options};

use super::running::Running;
use super::settings::{Change, Settings};
use super::worker::{Job, Refused, Request, Worker};
use super::{Command, Go, shown};
use crate::{Opening, Thinker, play_moves};

/// How long the end of a session waits for an output that does not take what is said.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// Jobs that may wait for the worker; then the session waits, so that a flood of commands fills
/// no memory. None waits while a search runs that was not told to stop.
const MOST_JOBS: usize = 64;

/// Takes a line to be said, or several with line ends between them, which belong together. Called
/// from two threads.
pub type Output = Arc<dyn Fn(&str) + Send + Sync>;

/// What happens to a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line of input.
    Line(String),
    /// A line of input that is not looked at.
    Refused {
        /// Its first word: who sends half a `position` must get no answer for the old one.
        command: String,
        /// Why.
        why: String,
    },
    /// Input ends.
    End,
    /// Nobody reads what is said any more.
    OutputClosed,
    /// A search has answered. Sent by the session's own thread.
    Finished,
    /// The session's own thread died. Sent by it.
    Lost,
}

/// The thread that thinks died of a fault in the program; it has said so on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost;

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search broke down by a fault in the program")
    }
}

impl std::error::Error for Lost {}

/// What a session begins with.
pub struct Setup {
    /// The name and version of the program.
    pub name: String,
    /// Who made it.
    pub author: String,
    /// The options.
    pub settings: Settings,
    /// The opening book, if there is one.
    pub opening: Option<Arc<dyn Opening>>,
}

/// A conversation with a program that wants moves.
pub struct Session {
    name: String,
    author: String,
    has_book: bool,
    settings: Settings,
    debug: bool,
    /// `None` after a position was refused.
    game: Option<Game>,
    output: Output,
    /// The last search that was asked for.
    search: Option<Arc<Running>>,
    /// Whether `wait` holds back what comes.
    waiting: bool,
    held: VecDeque<Event>,
    jobs: Option<SyncSender<Job>>,
    worker: Option<JoinHandle<()>>,
    ended: Receiver<()>,
    /// Counted by the thread before and after it says something: odd while it does.
    saying: Arc<AtomicU64>,
    refused: Refused,
}

/// Whether a session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    GoOn,
    End,
}

impl Session {
    /// Begins a session. What it says goes to `output`; what is sent to `events` must come to
    /// [`run`](Self::run).
    ///
    /// # Errors
    /// When there is no memory for the transposition table.
    pub fn new(setup: Setup, output: Output, events: Sender<Event>) -> Result<Session, HashError> {
        let Setup { name, author, settings, opening } = setup;
        let thinker = Thinker::new(settings.options(Options::default()))?;
        let (jobs, to_do) = mpsc::sync_channel(MOST_JOBS);
        let (end, ended) = mpsc::channel();
        let has_book = opening.is_some();
        let saying = Arc::new(AtomicU64::new(0));
        let counted = {
            let (output, saying) = (Arc::clone(&output), Arc::clone(&saying));
            Arc::new(move |text: &str| {
                saying.fetch_add(1, Ordering::SeqCst);
                output(text);
                saying.fetch_add(1, Ordering::SeqCst);
            })
        };
        let refused = Refused::default();
        // The worker begins without tables, so that those of the setup are opened as any others.
        let bare = Settings { tables_path: None, ..settings.clone() };
        let worker = Worker {
            thinker,
            settings: bare,
            has_leaves: false,
            opening,
            output: counted,
            events,
            refused: Arc::clone(&refused),
        };
        let worker = thread::spawn(move || {
            let _end: Sender<()> = end;
            worker.run(&to_do);
        });
        let session = Session {
            name,
            author,
            has_book,
            debug: false,
            game: Some(Game::new(settings.rules)),
            output,
            search: None,
            waiting: false,
            held: VecDeque::new(),
            jobs: Some(jobs),
            worker: Some(worker),
            ended,
            saying,
            refused,
            settings,
        };
        session.ask(Job::Configure(Box::new(session.settings.clone())));
        Ok(session)
    }

    /// Takes events until one of them ends the session. A search that still runs is stopped and
    /// answers first.
    ///
    /// # Errors
    /// When the search broke down.
    pub fn run(mut self, events: impl IntoIterator<Item = Event>) -> Result<(), Lost> {
        for event in events {
            if event == Event::Lost {
                return Err(Lost);
            }
            if self.take(event) == Flow::End {
                break;
            }
        }
        Ok(())
    }

    /// Takes an event, and those that it sets free.
    fn take(&mut self, event: Event) -> Flow {
        if event == Event::Finished {
            self.waiting = self.waiting && self.is_searching();
            while !self.waiting {
                let Some(event) = self.held.pop_front() else { break };
                if self.handle(event) == Flow::End {
                    return Flow::End;
                }
            }
            return Flow::GoOn;
        }
        if self.waiting && !passes(&event) {
            self.held.push_back(event);
            return Flow::GoOn;
        }
        self.handle(event)
    }

    fn handle(&mut self, event: Event) -> Flow {
        match event {
            Event::Line(line) => return self.line(&line),
            Event::Refused { command, why } => self.refuse(&command, &why),
            Event::End | Event::OutputClosed => return Flow::End,
            Event::Finished | Event::Lost => (),
        }
        Flow::GoOn
    }

    fn line(&mut self, line: &str) -> Flow {
        let command = match Command::parse(line) {
            Ok(None) => return Flow::GoOn,
            Ok(Some(command)) => command,
            Err(error) => {
                self.refuse(&error.command, &error.why);
                return Flow::GoOn;
            }
        };
        if self.debug {
            self.say(format!("info string debug: {command}"));
        }
        match command {
            Command::Quit => return Flow::End,
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.say("readyok".to_owned()),
            Command::Register => self.say("info string no registration is needed".to_owned()),
            Command::Stop => {
                self.stop();
            }
            Command::PonderHit => {
                if !self.search.as_ref().is_some_and(|search| search.ponder_hit()) {
                    self.error("ponderhit: no search is pondering");
                }
            }
            Command::Wait => self.wait(),
            Command::SetOption { name, value } => self.set(&name, value.as_deref()),
            Command::NewGame => {
                self.stop();
                self.begin(self.settings.rules);
            }
            Command::Position { fen, moves } => self.position(fen.as_deref(), &moves),
            Command::Go(go) => self.go(go),
        }
        Flow::GoOn
    }

    /// Answers a line that cannot be understood. Half a `position` leaves none, so that nobody
    /// gets an answer for another one than he meant; every `go` gets its `bestmove`.
    fn refuse(&mut self, command: &str, why: &str) {
        match command {
            "position" => {
                self.stop();
                self.game = None;
                self.error(why);
            }
            "go" => {
                self.stop();
                self.decline(why);
            }
            "setoption" => {
                self.stop();
                self.error(why);
            }
            _ => self.error(why),
        }
    }

    /// Whether a search has not answered yet.
    fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| !search.is_answered())
    }

    /// Tells the search to end. What is said after this comes behind its answer.
    fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop();
        }
    }

    fn ask(&self, job: Job) {
        // A worker that is gone has said so by an event of its own.
        let _ = self.jobs.as_ref().map(|jobs| jobs.send(job));
    }

    /// Says something: at once while a search runs, else after all that is still to be done.
    fn say(&self, text: String) {
        if self.is_searching() { (self.output)(&text) } else { self.ask(Job::Say(text)) }
    }

    fn error(&self, why: &str) {
        self.say(format!("info string error: {why}"));
    }

    /// A size of the transposition table for which there was no memory is no setting.
    fn take_back_refused(&mut self) {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((asked, kept)) = refused
            && self.settings.hash_mib == asked
        {
            self.settings.hash_mib = kept;
        }
    }

    fn introduce(&mut self) {
        self.take_back_refused();
        let mut lines =
            vec![format!("id name {}", self.name), format!("id author {}", self.author)];
        lines.extend(self.settings.told(self.has_book));
        lines.push("uciok".to_owned());
        self.say(lines.join("\n"));
    }

    fn set(&mut self, name: &str, value: Option<&str>) {
        self.stop();
        self.take_back_refused();
        if !self.has_book && name.eq_ignore_ascii_case("OwnBook") {
            self.error("option OwnBook: there is no book here");
            return;
        }
        match self.settings.set(name, value) {
            Ok(Change::ClearHash) => self.ask(Job::Clear),
            Ok(change) => {
                self.ask(Job::Configure(Box::new(self.settings.clone())));
                if change == Change::Rules {
                    self.begin(self.settings.rules);
                }
            }
            Err(error) => self.error(&error.to_string()),
        }
    }

    /// Begins a new game.
    fn begin(&mut self, rules: Rules) {
        self.game = Some(Game::new(rules));
        self.ask(Job::Clear);
    }

    fn position(&mut self, fen: Option<&str>, moves: &str) {
        self.stop();
        self.game = None;
        match self.read_game(fen, moves) {
            Ok(game) => self.game = Some(game),
            Err(why) => self.error(&why),
        }
    }

    fn read_game(&self, fen: Option<&str>, moves: &str) -> Result<Game, String> {
        let rules = self.settings.rules;
        let start = match fen {
            None => Position::start(rules),
            Some(fen) => read_position(fen)
                .and_then(|text| text.resolve(None, rules))
                .map_err(|error| format!("position: {error}"))?,
        };
        // What is no letter is a fault at its own ply.
        let end = moves.find(|letter: char| !letter.is_ascii_alphabetic());
        let (letters, rest) = moves.split_at(end.unwrap_or(moves.len()));
        let game = play_moves(start, letters).map_err(|fault| match fault.ply {
            Some(ply) => format!("ply {ply}: {fault}"),
            None => fault.to_string(),
        })?;
        if rest.is_empty() {
            return Ok(game);
        }
        let ply = game.plies().len() + 1;
        Err(format!("ply {ply}: {} is not a house: expected A to F or a to f", shown(rest)))
    }

    /// Answers a `go` that leads to no search.
    fn decline(&self, why: &str) {
        self.say(format!("info string error: {why}\nbestmove 0000"));
    }

    fn go(&mut self, go: Go) {
        let asked = Instant::now();
        self.stop();
        let game = match &self.game {
            Some(game) => game,
            None => {
                return self.decline("go: there is no position, the last one was refused");
            }
        };
        let mover = game.position().to_move();
        let clocks = go.clocks.iter().flatten().count();
        if clocks > 0 && go.clocks[mover.index()].is_none() {
            let word = ["wtime", "btime"][mover.index()];
            return self.decline(&format!("go: {word} is missing, and {mover} is to move"));
        }
        let moves = match go.searchmoves.as_deref().map(|letters| legal(game, letters)).transpose()
        {
            Ok(moves) => moves,
            Err(why) => return self.decline(&format!("go: searchmoves: {why}")),
        };
        let running = Arc::new(Running::new(&go, go.has_limit(mover)));
        self.search = Some(Arc::clone(&running));
        let request = Request { game: game.clone(), go, moves, running, asked };
        self.ask(Job::Search(Box::new(request)));
    }

    fn wait(&mut self) {
        let Some(search) = self.search.as_ref().filter(|search| !search.is_answered()) else {
            return;
        };
        if search.ends_by_itself() {
            self.waiting = true;
        } else {
            self.error("wait: the search goes on until stop or ponderhit");
        }
    }
}

/// Whether an event is looked at though `wait` holds others back.
fn passes(event: &Event) -> bool {
    match event {
        Event::Line(line) => matches!(
            Command::parse(line),
            Ok(Some(Command::Stop | Command::PonderHit | Command::IsReady))
        ),
        Event::OutputClosed => true,
        _ => false,
    }
}

/// The moves of some letters, each of which must be legal.
fn legal(game: &Game, letters: &str) -> Result<MoveSet, String> {
    let mut moves = MoveSet::EMPTY;
    for letter in letters.chars() {
        let house = House::try_from(letter).map_err(|error| error.to_string())?;
        if house.side() != game.position().to_move() {
            return Err(oware_rules::PlayError::NotYours(house).to_string());
        }
        if !game.is_over() {
            game.position().check(house.as_move()).map_err(|error| error.to_string())?;
        }
        moves.insert(house.as_move());
    }
    Ok(moves)
}

impl Drop for Session {
    /// Stops the search and waits for every answer that is still to come, but not for ever where
    /// nobody reads any more: whoever ends the session may have stopped reading as well.
    fn drop(&mut self) {
        self.stop();
        drop(self.jobs.take());
        let mut before = self.saying.load(Ordering::SeqCst);
        while self.ended.recv_timeout(LAST_WAIT) == Err(mpsc::RecvTimeoutError::Timeout) {
            let now = self.saying.load(Ordering::SeqCst);
            if now == before && !now.is_multiple_of(2) {
                return;
            }
            before = now;
        }
        if let Some(worker) = self.worker.take() {
            // A panic there was told already.
            let _ = worker.join();
        }
    }
}
