//! Random rounds of everything: each `go` gets one `bestmove`, `isready` is answered while a
//! search runs, and moves come in time.

use std::time::{Duration, Instant};

use oware_rules::{Game, Rules};
use oware_testkit::TestRng;

use crate::support::engine::Engine;

/// Time for a move, where it is measured how long it took.
const MOVE_TIME: Duration = Duration::from_millis(50);
/// No machine is slower than this; the worst delays of a quiet one are printed.
const GENEROUS: Duration = Duration::from_secs(20);

const NOISE: [&str; 14] = [
    "frob",
    "position",
    "position startpos moves a",
    "position fen 1-2-3",
    "setoption name Hash value x",
    "setoption name Frob value 1",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "ponderhit",
    "stop",
    "debug",
    "ucinewgame",
];

#[derive(Default)]
struct Worst {
    took: Duration,
    ready: Duration,
    stop: Duration,
}

struct Round<'a> {
    engine: &'a mut Engine,
    rng: &'a mut TestRng,
    worst: &'a mut Worst,
}

impl Round<'_> {
    /// Sends a random game that is not over.
    fn position(&mut self) {
        let mut game = Game::new(Rules::ABAPA);
        let mut letters = String::new();
        for _ in 0..self.rng.below(60) {
            let legal: Vec<_> = game.legal_moves().iter().collect();
            let mv = *self.rng.pick(&legal);
            let mut next = game.clone();
            next.play_quick(mv).unwrap();
            if next.is_over() {
                break;
            }
            game = next;
            letters.push(game.plies().last().unwrap().house().letter());
        }
        self.engine.send(&format!("position startpos moves {letters}"));
    }

    /// Waits for the one answer to `go`, and that there is no second.
    fn answer(&mut self) -> Instant {
        let (when, lines) = self.engine.until("bestmove ");
        let [.., last] = &lines[..] else { unreachable!() };
        assert_ne!(last, "bestmove 0000", "{lines:#?}");
        when
    }

    /// Asks whether it is there, and gives what else was said up to the answer.
    fn ready(&mut self) -> (Duration, Vec<String>) {
        let asked = Instant::now();
        self.engine.send("isready");
        let (when, lines) = self.engine.until("readyok");
        (when - asked, lines)
    }

    /// Nothing but `readyok` comes when nothing is asked.
    fn quiet(&mut self) {
        let (_, lines) = self.ready();
        assert_eq!(lines, ["readyok"]);
    }

    fn timed(&mut self) {
        self.position();
        self.quiet();
        let asked = Instant::now();
        self.engine.send(&format!("go movetime {}", MOVE_TIME.as_millis()));
        let took = self.answer() - asked;
        assert!(took < GENEROUS, "{took:?}");
        self.worst.took = self.worst.took.max(took);
    }

    /// `go infinite` or `go ponder`, which must not answer before it is told to.
    fn held(&mut self, ponder: bool) {
        self.position();
        let go = match (ponder, self.rng.below(3)) {
            (true, 0) => "go ponder depth 3",
            (true, _) => "go ponder wtime 2000 btime 2000 winc 20 binc 20",
            (false, 0) => "go infinite depth 2",
            (false, _) => "go infinite",
        };
        self.engine.send(go);
        std::thread::sleep(Duration::from_millis(self.rng.below(30) as u64));
        let (took, lines) = self.ready();
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{go}: {lines:#?}");
        assert!(took < GENEROUS, "{took:?}");
        self.worst.ready = self.worst.ready.max(took);
        let asked = Instant::now();
        if ponder && self.rng.below(2) == 0 {
            self.engine.send("ponderhit");
            self.answer();
            return;
        }
        self.engine.send("stop");
        let took = self.answer() - asked;
        assert!(took < GENEROUS, "{took:?}");
        self.worst.stop = self.worst.stop.max(took);
    }

    /// A search that something else stops, or that is refused.
    fn disturbed(&mut self) {
        self.position();
        let searches = 1 + self.rng.below(3);
        for _ in 0..searches {
            let line = *self.rng.pick(&["go infinite", "go ponder", "go movetime 60000"]);
            self.engine.send(line);
        }
        let line = *self.rng.pick(&["stop", "ucinewgame", "setoption name Seed value 1"]);
        self.engine.send(line);
        for _ in 0..searches {
            self.answer();
        }
        self.engine.send("go depth x");
        let (_, lines) = self.engine.until("bestmove ");
        assert_eq!(lines.last().unwrap(), "bestmove 0000");
    }

    /// Lines that make no sense, and then one that does.
    fn noise(&mut self) {
        for _ in 0..self.rng.below(6) {
            let line = *self.rng.pick(&NOISE);
            self.engine.send(line);
        }
        let bytes: Vec<u8> = (0..self.rng.below(40)).map(|_| self.rng.below(256) as u8).collect();
        let text: Vec<u8> = bytes.into_iter().filter(|byte| !b"\r\n".contains(byte)).collect();
        self.engine.send_bytes(&[b"x", &text[..], b"\n"].concat());
        self.engine.send("debug off");
        self.engine.send("setoption name MultiPV value 1");
        let (_, lines) = self.ready();
        assert!(lines.iter().all(|line| line.starts_with("info string") || line == "readyok"));
        self.position();
        self.engine.send("go nodes 500");
        self.answer();
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "what was measured")]
fn every_go_gets_one_answer() {
    let long = std::env::var("OWARE_LONG").is_ok_and(|long| long == "1");
    let rounds = if long { 1000 } else { 40 };
    let mut rng = TestRng::from_env("every_go_gets_one_answer");
    let mut engine = Engine::start(&["--option", "Hash=4"]);
    let mut worst = Worst::default();
    for _ in 0..rounds {
        let kind = rng.below(5);
        let mut round = Round { engine: &mut engine, rng: &mut rng, worst: &mut worst };
        match kind {
            0 => round.timed(),
            1 => round.held(false),
            2 => round.held(true),
            3 => round.disturbed(),
            _ => round.noise(),
        }
        round.quiet();
    }
    engine.send("quit");
    assert!(engine.end().success());
    assert_eq!(engine.next(), None);
    let Worst { took, ready, stop } = worst;
    let overshoot = took.saturating_sub(MOVE_TIME);
    println!(
        "{rounds} rounds: slowest move of {MOVE_TIME:?} {took:?} (overshoot {overshoot:?}), \
         slowest isready during a search {ready:?}, slowest stop {stop:?}"
    );
}
