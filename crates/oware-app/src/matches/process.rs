//! A player that is another program: the UCI dialect of Oware, over its standard input and
//! output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use oware_notation::{PositionFormat, write_position};
use oware_rules::{Game, House, Rules, Setup};
use oware_search::Score;

use super::Budget;
use super::player::{Answer, Ask, Player, PlayerFault, Stop};
use super::spec::Process;

/// How long it gets after `stop` to say its move, before it is killed.
const GRACE: Duration = Duration::from_secs(1);
/// How often it is looked whether the match was stopped.
const GLANCE: Duration = Duration::from_millis(50);
/// The longest line that is read; what is longer comes in pieces.
const LONGEST_LINE: u64 = 1 << 20;
/// How many lines are read ahead, so that a program that never stops talking fills no memory.
const LINES_AHEAD: usize = 1 << 10;
/// The most options that a program may have.
const MOST_OPTIONS: usize = 1 << 10;

/// A program that plays. It is started when the first game begins, and again when it died.
pub(super) struct ProcessPlayer {
    spec: Process,
    rules: Rules,
    running: Option<Running>,
    starts: u32,
}

struct Running {
    child: Child,
    /// `None` once the program was told to quit.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Names of its options, in lower case.
    options: Vec<String>,
}

impl ProcessPlayer {
    pub(super) fn new(spec: &Process, rules: Rules) -> ProcessPlayer {
        ProcessPlayer { spec: spec.clone(), rules, running: None, starts: 0 }
    }

    fn start(&mut self, stop: &Stop) -> Result<(), PlayerFault> {
        let died = |why: &str| PlayerFault::Died(why.to_owned());
        let [program, arguments @ ..] = &self.spec.command[..] else {
            return Err(died("there is no command"));
        };
        self.starts += 1;
        let mut command = Command::new(program);
        // The keys that stop a match shall not reach its programs: a program that they end would
        // lose the game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| PlayerFault::Died(format!("cannot start {program}: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(died("it has no standard input and output"));
        };
        let (sender, lines) = mpsc::sync_channel(LINES_AHEAD);
        // The thread ends with the program's output, at the latest when the program is killed.
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let read = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                if !matches!(read, Ok(1..)) || sender.send(text).is_err() {
                    break;
                }
            }
        });
        let mut running = Running { child, input: Some(input), lines, options: Vec::new() };
        self.greet(&mut running, stop)?;
        self.running = Some(running);
        Ok(())
    }

    /// `uci`, and the options.
    fn greet(&self, running: &mut Running, stop: &Stop) -> Result<(), PlayerFault> {
        running.say("uci")?;
        let deadline = Instant::now() + self.spec.timeout;
        loop {
            let line = running.line(deadline, stop)?;
            if line == "uciok" {
                break;
            }
            if let Some(option) = line.strip_prefix("option name ") {
                let name = option.split(" type ").next().unwrap_or(option);
                if running.options.len() < MOST_OPTIONS {
                    running.options.push(name.trim().to_lowercase());
                }
            }
        }
        for (name, value) in &self.spec.options {
            if !running.has_option(name) {
                return Err(PlayerFault::Died(format!("it has no option {name}")));
            }
            running.say(&format!("setoption name {name} value {value}"))?;
        }
        if running.has_option("Rules") {
            running.say(&format!("setoption name Rules value {}", self.rules.id()))?;
        } else if self.rules != Rules::ABAPA && !self.spec.trusted_rules {
            return Err(PlayerFault::Died(format!(
                "it has no option Rules and may not know {}; rules=trusted says that it does",
                self.rules.id()
            )));
        }
        Ok(())
    }

    fn ask(&mut self, game: &Game, ask: &Ask<'_>) -> Result<Answer, PlayerFault> {
        let timeout = self.spec.timeout;
        let Some(running) = &mut self.running else {
            return Err(PlayerFault::Died("it does not run".into()));
        };
        // What an earlier search still said is not meant for this one.
        for _ in running.lines.try_iter().take(LINES_AHEAD) {}
        running.say(&position_command(game))?;
        let side = game.position().to_move();
        let due = due(ask.budget, ask.clocks[side.index()]).map(|due| due + ask.margin);
        running.say(&go_command(ask))?;
        let begun = Instant::now();
        let deadline = begun + due.unwrap_or(timeout);
        let mut found = Found::default();
        match running.best_move(deadline, &mut found, ask.stop) {
            Err(PlayerFault::Silent) => {}
            Err(fault) => return Err(fault),
            Ok(text) => return found.answer(&text, game),
        }
        // Too late. A program that is still alive says its move now, and can go on.
        running.say("stop")?;
        let answered = running.best_move(Instant::now() + GRACE, &mut found, ask.stop);
        match (answered, due) {
            (Ok(_), Some(_)) => Err(PlayerFault::Late),
            (Ok(_), None) | (Err(PlayerFault::Silent), _) => Err(PlayerFault::Silent),
            (Err(fault), _) => Err(fault),
        }
    }
}

impl Player for ProcessPlayer {
    fn new_game(&mut self, _: usize, stop: &Stop) -> Result<(), PlayerFault> {
        if self.running.is_none() {
            self.start(stop)?;
        }
        let Some(running) = &mut self.running else {
            return Err(PlayerFault::Died("it does not run".into()));
        };
        let fresh = running.fresh(self.spec.timeout, stop);
        if fresh.is_err() {
            self.running = None;
        }
        fresh
    }

    fn choose(&mut self, game: &Game, ask: &Ask<'_>) -> Result<Answer, PlayerFault> {
        let answer = self.ask(game, ask);
        // A program that does not answer is of no use for the next game. One that says something
        // illegal may have lost its way: it begins anew too.
        if !matches!(answer, Ok(_) | Err(PlayerFault::Late)) {
            self.running = None;
        }
        answer
    }

    fn restarts(&self) -> u32 {
        self.starts.saturating_sub(1)
    }
}

impl Running {
    fn has_option(&self, name: &str) -> bool {
        self.options.contains(&name.to_lowercase())
    }

    fn say(&mut self, line: &str) -> Result<(), PlayerFault> {
        let written = match &mut self.input {
            Some(input) => writeln!(input, "{line}").and_then(|()| input.flush()),
            None => return Err(self.dead()),
        };
        written.map_err(|_| self.dead())
    }

    fn dead(&mut self) -> PlayerFault {
        // The pipe may close a moment before the program has ended.
        for _ in 0..20 {
            match self.child.try_wait() {
                Ok(Some(status)) => return PlayerFault::Died(format!("it ended ({status})")),
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        PlayerFault::Died("it closed its output".into())
    }

    fn line(&mut self, deadline: Instant, stop: &Stop) -> Result<String, PlayerFault> {
        loop {
            let now = Instant::now();
            let left = deadline.saturating_duration_since(now);
            if stop.is_stopped() {
                return Err(PlayerFault::Stopped);
            }
            // Lines that came in time are read even if it is late now; but not for ever.
            if now > deadline + GRACE {
                return Err(PlayerFault::Silent);
            }
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.dead()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(PlayerFault::Silent);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn fresh(&mut self, timeout: Duration, stop: &Stop) -> Result<(), PlayerFault> {
        self.say("ucinewgame")?;
        self.say("isready")?;
        let deadline = Instant::now() + timeout;
        while self.line(deadline, stop)? != "readyok" {}
        Ok(())
    }

    /// What stands behind `bestmove`.
    fn best_move(
        &mut self,
        deadline: Instant,
        found: &mut Found,
        stop: &Stop,
    ) -> Result<String, PlayerFault> {
        loop {
            let line = self.line(deadline, stop)?;
            if let Some(rest) = line.strip_prefix("bestmove") {
                return Ok(rest.split_whitespace().next().unwrap_or_default().to_owned());
            }
            if line.starts_with("info ") {
                found.read(&line);
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.say("quit");
        self.input = None;
        let deadline = Instant::now() + Duration::from_millis(300);
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the lines `info` of a search said last.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    score: Option<Score>,
    depth: u32,
    nodes: u64,
}

impl Found {
    fn read(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        // Of several lines of play the first counts.
        if line.split_whitespace().skip_while(|w| *w != "multipv").nth(1).is_some_and(|n| n != "1")
        {
            return;
        }
        while let Some(word) = words.next() {
            match word {
                "string" | "pv" => break,
                "depth" => self.depth = next(&mut words).unwrap_or(self.depth),
                "nodes" => self.nodes = next(&mut words).unwrap_or(self.nodes),
                "cp" => {
                    let score = next(&mut words).filter(|n: &i32| n.abs() <= 1_000_000);
                    self.score = score.map(Score::of_hundredths).or(self.score);
                }
                _ => {}
            }
        }
    }

    fn answer(&self, text: &str, game: &Game) -> Result<Answer, PlayerFault> {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
        let illegal = || PlayerFault::Illegal(shown.clone());
        let house: House = text.parse().map_err(|_| illegal())?;
        if house.side() != game.position().to_move() {
            return Err(illegal());
        }
        let Found { score, depth, nodes } = *self;
        Ok(Answer { mv: house.as_move(), score, depth, nodes })
    }
}

fn next<T: std::str::FromStr>(words: &mut std::str::SplitWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

/// The time after which a move is late; `None` where only positions or plies are counted.
fn due(budget: &Budget, left: Option<Duration>) -> Option<Duration> {
    match (budget.movetime, left) {
        (Some(time), Some(left)) => Some(time.min(left)),
        (time, left) => time.or(left),
    }
}

fn position_command(game: &Game) -> String {
    let mut command = match game.start().setup() == Setup::START {
        true => "position startpos".to_owned(),
        false => {
            let start = write_position(game.start(), PositionFormat::Canonical);
            format!("position fen {start}")
        }
    };
    if !game.plies().is_empty() {
        command += " moves ";
        command.extend(game.houses_played().map(House::letter));
    }
    command
}

fn go_command(ask: &Ask<'_>) -> String {
    let mut command = "go".to_owned();
    let budget = ask.budget;
    if let Some(depth) = budget.depth {
        command += &format!(" depth {depth}");
    }
    if let Some(nodes) = budget.nodes {
        command += &format!(" nodes {nodes}");
    }
    if let Some(time) = budget.movetime {
        command += &format!(" movetime {}", time.as_millis());
    }
    if budget.clock.is_some() {
        let names = [("wtime", "winc"), ("btime", "binc")];
        for ((time, increment), index) in names.into_iter().zip(0..) {
            if let Some(left) = ask.clocks[index] {
                let added = ask.increments[index].as_millis();
                command += &format!(" {time} {} {increment} {added}", left.as_millis());
            }
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play_moves;
    use oware_rules::Position;

    #[test]
    fn what_is_said_to_a_program() {
        let game = play_moves(Position::start(Rules::ABAPA), "FfB").unwrap();
        assert_eq!(position_command(&game), "position startpos moves FfB");
        let later = Game::from_position(*game.position());
        let command = position_command(&later);
        assert!(command.starts_with("position fen ") && command.ends_with("-N"), "{command}");
        let mut budget = Budget::default();
        for (key, value) in [("nodes", "500"), ("movetime", "20"), ("clock", "1+0.1")] {
            assert_eq!(budget.set(key, value), Ok(true));
        }
        let ask = Ask {
            budget: &budget,
            clocks: [Some(Duration::from_millis(900)), Some(Duration::from_millis(40))],
            increments: [Duration::from_millis(100); 2],
            margin: Duration::ZERO,
            stop: &Stop::new(),
        };
        let expected = "go nodes 500 movetime 20 wtime 900 winc 100 btime 40 binc 100";
        assert_eq!(go_command(&ask), expected);
    }

    #[test]
    fn what_a_program_says_is_understood() {
        let mut found = Found::default();
        found.read("info depth 7 seldepth 9 score cp -150 nodes 1234 pv FfB");
        assert_eq!(found, Found { score: Some(Score::of_hundredths(-150)), depth: 7, nodes: 1234 });
        found.read("info depth 8 multipv 2 score cp 5");
        found.read("info string depth 99 cp 99");
        found.read("info depth x score cp y");
        assert_eq!((found.depth, found.score), (7, Some(Score::of_hundredths(-150))));
        let game = Game::new(Rules::ABAPA);
        assert_eq!(found.answer("F", &game).unwrap().mv.index(), 5);
        for wrong in ["f", "0000", "", "z"] {
            assert_eq!(found.answer(wrong, &game), Err(PlayerFault::Illegal(wrong.into())));
        }
    }
}
