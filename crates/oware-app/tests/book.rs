//! Opening books: the same bytes however they are built, nothing played that was not checked,
//! and no damaged file that is taken for a book.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use oware_app::book::{
    BookError, BuildError, BuildJob, BuildProgress, ExamineJob, Mark, Phase, Recipe, build, examine,
};
use oware_app::{Book, Opening, Origin, Thinker};
use oware_rules::{Board, Game, Rules, SowingBoard};
use oware_search::{Control, Limits, Options};
use oware_testkit::TestRng;

/// Small enough for a moment, large enough that moves are refused.
fn recipe() -> Recipe {
    Recipe { nodes: 1500, check_nodes: 6000, ..Recipe::default() }
}

const ENTRIES: usize = 70;

/// Builds until `enough` says that it shall be stopped.
fn built(
    recipe: Recipe,
    entries: usize,
    threads: usize,
    known: Option<Book>,
    enough: &mut dyn FnMut(&BuildProgress<'_>) -> bool,
) -> Result<(Book, bool), BuildError> {
    let stop = AtomicBool::new(false);
    let tell = &mut |progress: &BuildProgress<'_>| {
        if enough(progress) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    build(BuildJob { recipe, entries, threads, known, stop: &stop, tell })
}

/// The book that one thread builds.
fn plain() -> Book {
    static BOOK: OnceLock<Book> = OnceLock::new();
    BOOK.get_or_init(|| whole(1, None)).clone()
}

fn whole(threads: usize, known: Option<Book>) -> Book {
    let (book, whole) = built(recipe(), ENTRIES, threads, known, &mut |_| false).unwrap();
    assert!(whole);
    book
}

fn read(bytes: &[u8]) -> Result<Book, BookError> {
    Book::from_bytes(Path::new("a.owb"), bytes)
}

/// A book's bytes with the checksum made right again.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len() - 4;
    bytes.truncate(length);
    let mut crc = u32::MAX;
    for &byte in &bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
    }
    bytes.extend((!crc).to_le_bytes());
    bytes
}

#[test]
fn the_same_bytes_with_any_number_of_threads_and_after_any_stop() {
    let book = plain();
    let bytes = book.to_bytes();
    assert_eq!(book.entries().len(), ENTRIES);
    assert!(bytes == whole(2, None).to_bytes(), "two threads");
    assert!(bytes == whole(3, None).to_bytes(), "three threads");
    for (phase, after) in [(Phase::Expand, 1), (Phase::Expand, 5), (Phase::Check, 1)] {
        let mut seen = 0;
        let mut enough = |progress: &BuildProgress<'_>| {
            seen += usize::from(progress.phase == phase);
            seen >= after
        };
        let (part, finished) = built(recipe(), ENTRIES, 2, None, &mut enough).unwrap();
        assert!(!finished, "{phase:?} {after}");
        assert!(part.to_bytes() != bytes, "{phase:?} {after}");
        let part = read(&part.to_bytes()).unwrap();
        assert!(whole(2, Some(part)).to_bytes() == bytes, "{phase:?} {after}");
    }
    assert!(whole(1, Some(book)).to_bytes() == bytes, "from the whole");
}

#[test]
fn a_smaller_and_a_larger_book_are_good_starts() {
    let bytes = plain().to_bytes();
    let other = Recipe { check_nodes: 3000, margin: 30, ..recipe() };
    for entries in [20, 90] {
        let (start, finished) = built(other, entries, 2, None, &mut |_| false).unwrap();
        assert!(finished);
        assert!(whole(2, Some(start)).to_bytes() == bytes, "{entries}");
    }
}

#[test]
fn a_book_of_another_kind_is_no_start() {
    let other = Recipe { nodes: 1400, ..recipe() };
    let (start, _) = built(other, 10, 1, None, &mut |_| false).unwrap();
    let error = built(recipe(), 10, 1, Some(start), &mut |_| false).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the book to go on with was built with nodes 1400, expected 1500"
    );
    let awari = Recipe { rules: Rules::AWARI, ..recipe() };
    let (start, _) = built(awari, 10, 1, None, &mut |_| false).unwrap();
    let error = built(recipe(), 10, 1, Some(start), &mut |_| false).unwrap_err();
    assert!(error.to_string().contains("rules awari, expected abapa"), "{error}");
    // Another search: the value of the first move of the start, behind header and start.
    let (start, _) = built(recipe(), 10, 1, None, &mut |_| false).unwrap();
    let mut bytes = start.to_bytes();
    bytes[40 + "abapa".len() + 6] ^= 1;
    let strange = read(&resealed(bytes)).unwrap();
    let error = built(recipe(), 10, 1, Some(strange), &mut |_| false).unwrap_err();
    assert!(matches!(error, BuildError::OtherSearch), "{error}");
}

#[test]
fn every_cut_and_every_flipped_bit_is_found() {
    let (book, _) = built(recipe(), 12, 1, None, &mut |_| false).unwrap();
    let bytes = book.to_bytes();
    assert!(read(&bytes).unwrap().to_bytes() == bytes);
    for length in 0..bytes.len() {
        let error = read(&bytes[..length]).unwrap_err().to_string();
        assert!(error.starts_with("a.owb: "), "{error}");
    }
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(read(&flipped).is_err(), "bit {bit}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(read(&longer).is_err());
}

/// What strange programs may write: right by the checksum, and anything in it.
#[test]
fn no_sealed_bytes_make_it_panic() {
    let (book, _) = built(recipe(), 12, 1, None, &mut |_| false).unwrap();
    let bytes = book.to_bytes();
    let mut rng = TestRng::from_env("no_sealed_bytes_make_it_panic");
    let (mut refused, mut taken) = (0, 0);
    for _ in 0..20_000 {
        let mut strange = bytes.clone();
        for _ in 0..1 + rng.below(3) {
            let at = 8 + rng.below(strange.len() - 12);
            strange[at] = rng.below(256) as u8;
        }
        match read(&resealed(strange.clone())) {
            Ok(book) => {
                taken += 1;
                assert!(book.to_bytes() == resealed(strange));
                (0..book.entries().len()).for_each(|entry| _ = book.line(entry));
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1000 && taken > 1000, "{refused} refused, {taken} taken");
}

#[test]
fn faults_are_named() {
    let (book, _) = built(recipe(), 12, 1, None, &mut |_| false).unwrap();
    let bytes = book.to_bytes();
    let start = 40 + "abapa".len();
    let change = |at: usize, new: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        read(&resealed(bytes)).unwrap_err().to_string()
    };
    for (at, new, part) in [
        (0, &b"OWARETBL"[..], "does not begin with OWAREBOK"),
        (8, &[9, 0], "book format 9, and this program reads format 1"),
        (12, &[13, 0, 0, 0], "entry 12: the file ends within it"),
        (12, &[11, 0, 0, 0], "after the last entry"),
        (40, b"kalah", "the rules are none"),
        (start, &[0, 0, 0, 0], "entry 0: it is reached from an entry after it"),
        (start + 4, &[0xff, 0xff], "is 3, expected 0 to 2"),
        (start + 6, &[0xff, 0x7f], "the value 32767, where 48 seeds are left"),
        (start + 8, &[121], "the depth 121, expected at most 120"),
    ] {
        let error = change(at, new);
        assert!(error.contains(part), "{at}: {error}");
    }
}

#[test]
fn books_of_other_rules_are_refused() {
    let book = plain();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.owb");
    std::fs::write(&path, book.to_bytes()).unwrap();
    for rules in ["abapa", "abapa-first-repetition", "abapa,repetition=off", "abapa,play_on=yes"] {
        let rules = rules.parse().unwrap();
        assert!(Book::open(&path, &rules).is_ok(), "{rules}");
        assert!(book.choose(&Game::new(rules), Board::START).is_some(), "{rules}");
    }
    for rules in ["awari", "slam-illegal", "abapa,loop_split=even", "abapa,capture_free_limit=100"]
    {
        let rules: Rules = rules.parse().unwrap();
        let error = Book::open(&path, &rules).unwrap_err();
        assert!(matches!(error, BookError::Foreign { .. }), "{error}");
        assert!(error.to_string().ends_with(&format!("expected {rules}")), "{error}");
        assert_eq!(book.choose(&Game::new(rules), Board::START), None);
        assert!(Book::built_in(&rules).is_none());
    }
    let missing = Book::open(&dir.path().join("no.owb"), &Rules::ABAPA);
    assert!(matches!(missing, Err(BookError::Io { .. })));
}

/// Values follow from those of the entries that moves lead to, and refused moves do not count.
#[test]
fn values_are_consistent() {
    let book = plain();
    let rules = book.recipe().rules;
    let mut inside = 0;
    for (number, entry) in book.entries().iter().enumerate() {
        let moves = book.moves(number);
        assert_eq!(moves.len(), entry.board.legal(&rules).len());
        for known in &moves {
            let sown = entry.board.sow(known.mv, &rules);
            let expected = match known.leads_to {
                Some(next) => {
                    inside += 1;
                    assert_eq!(book.entries()[next].board, sown.board);
                    100 * i32::from(sown.captured) - book.value(next).unwrap().hundredths()
                }
                None => known.checked.map_or(known.found, |(value, _)| value).hundredths(),
            };
            assert_eq!(known.value.hundredths(), expected, "entry {number}");
            assert_eq!(known.value + known.loss, book.value(number).unwrap(), "entry {number}");
        }
        let best = moves.iter().filter(|known| known.mark != Mark::Refused);
        let best = best.map(|known| known.value).max().unwrap();
        assert_eq!(Some(best), book.value(number));
        let way = book.way_to(number);
        let mut game = Game::new(rules);
        way.iter().for_each(|&mv| game.play_quick(mv).unwrap());
        assert_eq!(game.position().board(), entry.board);
    }
    assert!(inside >= ENTRIES - 1);
    assert!(book.entries().iter().flat_map(|e| &e.moves).any(|m| m.mark == Mark::Refused));
}

/// Whatever the opponent plays within the book, each move of the book's player is legal, checked,
/// and near the best.
#[test]
fn what_is_played_was_checked() {
    let plain = plain();
    for book in [plain.clone(), plain.clone().with_variety(7)] {
        let margin = if book.choices(0).len() > 1 { book.recipe().margin } else { 10 };
        let mut open = vec![(Game::new(Rules::ABAPA), true), (Game::new(Rules::ABAPA), false)];
        let mut played = 0;
        while let Some((game, own)) = open.pop() {
            let board = game.position().board();
            let Some(entry) = book.find(board) else { continue };
            let moves = match own {
                true => book.choose(&game, board).into_iter().collect::<Vec<_>>(),
                false => game.legal_moves().iter().collect(),
            };
            if own {
                played += moves.len();
                assert_eq!(moves.len(), 1, "a board of the player without a move");
                let known = book.moves(entry);
                let known = known.iter().find(|known| known.mv == moves[0]).unwrap();
                assert_eq!(known.mark, Mark::Kept);
                assert!(known.loss.hundredths() <= i32::from(margin));
            }
            for mv in moves {
                let mut next = game.clone();
                next.play_quick(mv).unwrap();
                open.push((next, !own));
            }
        }
        assert!(played > 10, "{played}");
    }
}

#[test]
fn variety_follows_from_the_seed() {
    let plain = plain();
    let varied = |seed| {
        let book = plain.clone().with_variety(seed);
        let choice = |entry: usize| {
            let mut game = Game::new(Rules::ABAPA);
            book.way_to(entry).iter().for_each(|&mv| game.play_quick(mv).unwrap());
            book.choose(&game, game.position().board())
        };
        (0..ENTRIES).map(choice).collect::<Vec<_>>()
    };
    assert_eq!(varied(1), varied(1));
    let kinds: std::collections::HashSet<_> = (0..20).map(varied).collect();
    assert!(kinds.len() > 1);
}

/// A book that was never checked plays nothing.
#[test]
fn unchecked_moves_are_not_played() {
    let book = plain().to_be_checked(1, 0);
    assert_eq!(book.choose(&Game::new(Rules::ABAPA), Board::START), None);
    let stop = AtomicBool::new(false);
    let book = book.to_be_checked(6000, 4800);
    let job = ExamineJob { book, threads: 1, stop: &stop, tell: &mut |_| {} };
    let (book, finished) = examine(job).unwrap();
    assert!(finished && book.choose(&Game::new(Rules::ABAPA), Board::START).is_some());
}

/// A book of one board, the start, that plays one move.
fn book_of_one(house: usize) -> Book {
    let (book, _) = built(recipe(), 1, 1, None, &mut |_| false).unwrap();
    let mut bytes = book.to_be_checked(1, 0).to_bytes();
    let at = 40 + "abapa".len() + 4;
    bytes.truncate(at);
    bytes.extend((1_u16 << (2 * house)).to_le_bytes());
    for other in 0..6 {
        bytes.extend(if other == house { [100, 0, 9, 100, 0, 9].iter() } else { [0; 3].iter() });
    }
    bytes.extend([0; 4]);
    read(&resealed(bytes)).unwrap()
}

/// A move that brings back a board of the game is left to the search.
#[test]
fn the_games_own_past_is_looked_at() {
    let book = book_of_one(5);
    let circle = circle();
    let closing = book.choose(&Game::new(Rules::ABAPA), Board::START).unwrap();
    assert_eq!(closing.index(), 5);
    let mut closed = circle.clone();
    closed.play_quick(closing).unwrap();
    assert_eq!(closed.occurrences(), 2);
    // No short way leads back to a board of a book, so the book is asked about the start in a
    // game that stands elsewhere: with its past, and without.
    assert_eq!(book.choose(&circle, Board::START), None);
    let fresh = Game::from_position(*circle.position());
    assert_eq!(book.choose(&fresh, Board::START), Some(closing));
}

/// A game whose next move, the only one, brings back an earlier board.
fn circle() -> Game {
    let setup = oware_rules::Setup {
        houses: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
        stores: [23, 23],
        to_move: oware_rules::Side::North,
    };
    let position = oware_rules::Position::new(setup, Rules::ABAPA).unwrap();
    let mut game = Game::from_position(position);
    for letter in "fAaBbCcDdEe".chars() {
        game.play_house(letter.try_into().unwrap()).unwrap();
    }
    game
}

#[test]
fn the_thinker_plays_by_the_book() {
    let book = Book::built_in(&Rules::ABAPA).expect("the built-in book is sound");
    assert!(Book::built_in(&Rules::ABAPA_FIRST_REPETITION).is_some());
    assert!(book.to_bytes().len() < 300_000);
    assert!(book.recipe().check_nodes >= book.recipe().nodes);
    let game = Game::new(Rules::ABAPA);
    let expected = book.choose(&game, Board::START).expect("the start is in the book");
    let mut thinker = Thinker::new(Options { hash_mib: 1, ..Options::default() }).unwrap();
    let limits = Limits::nodes(1000);
    let think = |thinker: &mut Thinker| thinker.think(&game, &limits, &Control::new(), &mut |_| {});
    assert_eq!(think(&mut thinker).origin, Origin::Search);
    thinker.set_opening(Some(Arc::clone(&book) as Arc<dyn Opening>));
    let thought = think(&mut thinker);
    assert_eq!((thought.best, thought.origin), (Some(expected), Origin::Book));
}
