//! Analysis of positions and games: what tables know is told exactly, what is searched is told as
//! such, costs and labels follow from values, and records, graphs and pictures hold together.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::OnceLock;

use oware_app::analysis::{
    Analyst, Bound, Caption, Control, Effort, GameAnalysis, GraphStyle, Known, Label, MARK,
    Options, Tables, annotate, expected, graph, strip, svg,
};
use oware_app::{Knowledge, play_moves};
use oware_notation::{Record, Tag, ogn};
use oware_retro::{BuildJob, Target, build};
use oware_rules::{Game, LoopSplit, Position, Rules, Setup, Side};
use oware_tables::Convention;
use oware_testkit::TestRng;

/// Layers that are built.
const SEEDS: u8 = 6;

const NAMES: [&str; 3] = ["abapa", "awari", "slam-opponent-takes-rest"];

/// A directory with the tables of all rules of [`NAMES`].
fn root() -> &'static Path {
    static ROOT: OnceLock<tempfile::TempDir> = OnceLock::new();
    ROOT.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        for name in NAMES {
            let rules = name.parse::<Rules>().unwrap().table_rules();
            let targets = [Target::Even, Target::Bounds];
            build(&BuildJob::quiet(root.path(), rules, &targets, SEEDS.into())).unwrap();
        }
        root
    })
    .path()
}

fn analyst() -> Analyst {
    Analyst::new(Options { hash_mib: 1, ..Options::default() }).unwrap()
}

fn analyst_with_tables(rules: &Rules) -> Analyst {
    let mut analyst = analyst();
    analyst.set_tables(Tables::open(root(), rules, SEEDS, 1).unwrap());
    analyst
}

fn plies(depth: u32) -> Effort {
    Effort { depth: Some(depth), ..Effort::default() }
}

fn nodes(nodes: u64) -> Effort {
    Effort { nodes: Some(nodes), ..Effort::default() }
}

/// A position with at most so many seeds in the houses and stores that are not over.
fn endgame(rng: &mut TestRng, most: u8, rules: Rules) -> Position {
    loop {
        let mut houses = [0; 12];
        let seeds = 1 + rng.below(usize::from(most)) as u8;
        for _ in 0..seeds {
            houses[rng.below(12)] += 1;
        }
        let south = 24 - seeds + rng.below(usize::from(seeds) + 1) as u8;
        let to_move = *rng.pick(&Side::BOTH);
        let setup = Setup { houses, stores: [south, 48 - seeds - south], to_move };
        let position = Position::new(setup, rules).unwrap();
        if position.ending().is_none() {
            return position;
        }
    }
}

#[test]
fn tables_are_told_exactly_and_without_a_search() {
    let mut rng = TestRng::from_env("tables_are_told_exactly_and_without_a_search");
    let control = Control::new();
    let (mut even, mut exact, mut proven) = (0, 0, 0);
    for name in NAMES {
        let rules: Rules = name.parse().unwrap();
        let mut analyst = analyst_with_tables(&rules);
        let knowledge = Knowledge::open(root(), &rules).unwrap();
        for _ in 0..300 {
            let position = endgame(&mut rng, SEEDS, rules);
            let game = Game::from_position(position);
            let found = analyst.position(&game, &plies(3), 6, &control).unwrap();
            let values = |convention| knowledge.move_values(position.board(), convention).unwrap();
            let of = |convention, mv| {
                let values = values(convention);
                let value = values.iter().find(|(other, _)| *other == mv).and_then(|v| v.1);
                i32::from(position.lead()) + i32::from(value.unwrap())
            };
            assert_eq!(found.work.nodes, 0, "{position}");
            assert_eq!(found.moves.len(), position.legal_moves().len(), "{position}");
            let whole = i32::from(position.lead())
                + i32::from(
                    knowledge.facts(position.board()).unwrap().value(Convention::Even).unwrap(),
                );
            assert_eq!(found.moves[0].score.hundredths(), 100 * whole, "{position}");
            for value in &found.moves {
                let [even_value, low, high] = Convention::ALL.map(|c| of(c, value.mv));
                assert_eq!(value.score.hundredths(), 100 * even_value, "{position} {value:?}");
                assert_eq!(value.bound, Bound::Exact);
                match value.known {
                    Known::IfEven => {
                        even += 1;
                        assert_eq!(rules.loop_split, LoopSplit::OwnRows);
                        assert!(low < high, "{position} {value:?}");
                        let [least, most] =
                            [value.least, value.most].map(|n| i32::from(n.unwrap()));
                        assert_eq!((least, most), (low, high), "{position}");
                    }
                    Known::Exact(_) => exact += 1,
                    Known::Ending => assert!(value.ending.is_some()),
                    other => panic!("{position}: {other:?} by {value:?}"),
                }
                if let (Some(result), None) = (value.proven, value.ending) {
                    proven += 1;
                    let sure = match result {
                        Ordering::Greater => low > 0,
                        Ordering::Less => high < 0,
                        Ordering::Equal => low == 0 && high == 0,
                    };
                    assert!(sure || rules.loop_split == LoopSplit::Even, "{position} {value:?}");
                    let chances = value.chances;
                    assert_eq!(chances.win.max(chances.draw).max(chances.loss), 1000);
                }
                assert!(playable(&game, value.line.iter().copied()), "{position} {value:?}");
            }
        }
    }
    assert!(even > 20 && exact > 500 && proven > 500, "{even} {exact} {proven}");
}

fn playable(game: &Game, line: impl Iterator<Item = oware_rules::House>) -> bool {
    let mut game = game.clone();
    line.into_iter().all(|house| game.play_house(house).is_ok())
}

/// What a search of small boards calls complete is the truth, where the rules share loops as the
/// tables do.
#[test]
fn complete_searches_agree_with_tables() {
    let mut rng = TestRng::from_env("complete_searches_agree_with_tables");
    let control = Control::new();
    let rules = Rules::AWARI;
    let (mut told, mut searching) = (analyst_with_tables(&rules), analyst());
    let mut complete = 0;
    for _ in 0..100 {
        let game = Game::from_position(endgame(&mut rng, 3, rules));
        let truth = told.position(&game, &plies(1), 6, &control).unwrap();
        searching.clear();
        let found = searching.position(&game, &plies(40), 6, &control).unwrap();
        assert_eq!(found.moves.len(), truth.moves.len());
        for value in &found.moves {
            let same = truth.moves.iter().find(|other| other.mv == value.mv).unwrap();
            assert!(value.ending.is_some() || value.proven.is_none(), "{value:?}");
            if matches!(value.known, Known::Complete { .. }) {
                complete += 1;
                assert_eq!(value.score, same.score, "{}: {value:?}", game.position());
            }
        }
    }
    assert!(complete > 20, "{complete}");
}

#[test]
fn every_move_has_its_own_line() {
    let control = Control::new();
    let game = Game::new(Rules::ABAPA);
    let found = analyst().position(&game, &nodes(60_000), 6, &control).unwrap();
    assert_eq!(found.moves.len(), 6);
    for value in &found.moves {
        assert_eq!(value.line.first(), Some(&value.house));
        assert!(playable(&game, value.line.iter().copied()), "{value:?}");
        assert!(matches!(value.known, Known::Search { depth: 1.. }), "{value:?}");
        let chances = value.chances;
        assert_eq!(chances.win + chances.draw + chances.loss, 1000);
    }
    assert!(found.moves.is_sorted_by(|a, b| a.score >= b.score));
    let two = analyst().position(&game, &nodes(60_000), 2, &control).unwrap();
    assert_eq!((two.moves.len(), two.legal), (2, 6));
    // The same limits give the same.
    let again = analyst().position(&game, &nodes(60_000), 6, &control).unwrap();
    assert_eq!(again.moves, found.moves);
    assert_eq!(again.work.nodes, found.work.nodes);
}

/// By the rules alone: a move that ends the game is known without tables.
#[test]
fn ends_are_known_from_the_rules() {
    let setup = |houses, stores| Setup { houses, stores, to_move: Side::South };
    let control = Control::new();
    // F is a grand slam that captures nothing; North cannot move then.
    let stuck = setup([0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0], [23, 23]);
    let game = Game::from_position(Position::new(stuck, Rules::ABAPA).unwrap());
    let found = analyst().position(&game, &plies(4), 6, &control).unwrap();
    let only = &found.moves[0];
    assert_eq!((only.known, only.score.hundredths()), (Known::Ending, -200));
    assert_eq!((only.proven, only.chances.loss), (Some(Ordering::Less), 1000));
    assert_eq!(found.work.nodes, 0);
    // F takes the 25th seed: won, while the value goes on to the last.
    let won = setup([0, 0, 0, 0, 0, 2, 1, 2, 4, 0, 0, 0], [20, 19]);
    let game = Game::from_position(Position::new(won, Rules::ABAPA).unwrap());
    let found = analyst().position(&game, &plies(4), 6, &control).unwrap();
    let only = &found.moves[0];
    assert_eq!((only.proven, only.captured), (Some(Ordering::Greater), 5));
    assert_ne!(only.known, Known::Ending);
    assert_eq!(only.line.len(), 1);
    // Nothing is to be said of a game that is over.
    let over = play_moves(*game.position(), "F").unwrap();
    let found = analyst().position(&over, &plies(4), 6, &control).unwrap();
    assert!(found.moves.is_empty() && found.ending.is_some());
}

/// A game in which a capture of nine is let go.
fn careless() -> (Record, Game) {
    let text = "[South \"A & <B>\"]\n[North \"\\\"Kofi\\\"\"]\n\
        [FEN \"1-0-0-0-4-0-2-2-2-0-5-5-12-15-S\"]\n\n\
        { Before. } 1. A! { Bad, says a person. } ( 1. E+9 { mine } ) f $5 *\n";
    let record = ogn::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let game = ogn::replay(&record).unwrap_or_else(|error| panic!("{error}"));
    (record, game)
}

fn analysed(game: &Game, depth: u32) -> GameAnalysis {
    let mut told = Vec::new();
    let found = analyst()
        .game(game, &plies(depth), 1, &Control::new(), &mut |done, of| told.push((done, of)))
        .unwrap();
    let plies = game.plies().len();
    assert_eq!(told, (0..plies).map(|done| (done, plies)).collect::<Vec<_>>());
    found
}

#[test]
fn a_capture_let_go_is_a_fault() {
    let (_, game) = careless();
    let found = analysed(&game, 6);
    let first = &found.plies[0];
    assert_eq!(first.best().house.letter(), 'E');
    assert!(first.label >= Label::Mistake, "{first:?}");
    assert_eq!(first.lost, first.best().score - first.played.score);
    let away = expected(first.best().chances) - expected(first.played.chances);
    assert!((first.given_away - away).abs() < 1e-9, "{first:?}");
    let south = &found.players[0];
    assert_eq!((south.moves, south.choices, south.count(first.label)), (1, 1, 1));
    assert!(south.accuracy().unwrap() < 50.0, "{south:?}");
    // The points: before, and after each ply, seen by South.
    let points: Vec<_> = found.points().collect();
    assert_eq!(points.len(), 3);
    assert_eq!(points[0].south, first.best().score);
    assert_eq!(points[1].south, first.played.score);
    assert_eq!(points[2].south, -found.plies[1].played.score);
    for ply in &found.plies {
        assert!(ply.lost.hundredths() >= 0 && ply.given_away >= 0.0);
    }
}

#[test]
fn records_are_annotated_again_and_again() {
    let (mut record, game) = careless();
    record.set_tag(Tag::new("Annotator", "Yaw").unwrap());
    let record = record.normalized();
    let found = analysed(&game, 6);
    let once = annotate(&record, &found, "1.0", "6 plies");
    // It is a record like any other.
    let text = ogn::write(&once);
    assert_eq!(ogn::parse(&text).unwrap(), once);
    ogn::replay(&once).unwrap();
    ogn::verify_variations(&once).unwrap();
    // What people wrote is all there, and nothing piles up.
    for part in ["Before.", "Bad, says a", "{ mine }", "$5", "[Annotator \"Yaw\"]", "A!"] {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(part), "{part}: {text}");
    }
    let begun = text.matches(MARK).count();
    assert!(begun >= 4, "{text}");
    let other = annotate(&once, &analysed(&game, 3), "1.1", "3 plies");
    assert_eq!(annotate(&other, &found, "1.0", "6 plies"), once);
    let mut stripped = once.clone();
    strip(&mut stripped);
    assert_eq!(stripped, record);
}

#[test]
fn marks_of_an_analysis_go_with_it() {
    let (mut record, game) = careless();
    record.line.plies[0].suffix = None;
    let record = record.normalized();
    let once = annotate(&record, &analysed(&game, 6), "1.0", "6 plies");
    assert!(once.line.plies[0].suffix.is_some());
    assert!(once.tag("Annotator").is_some());
    let mut stripped = once.clone();
    strip(&mut stripped);
    assert_eq!(stripped, record);
    // What somebody adds to a line of the analysis stays, with the line.
    let mut touched = once;
    let line = touched.line.plies[0].notes.iter_mut().find_map(|note| match note {
        ogn::Note::Variation(line) if line.comments.iter().any(|c| c.starts_with(MARK)) => {
            Some(line)
        }
        _ => None,
    });
    line.unwrap().plies[0].notes.push(ogn::Note::Comment("I see.".into()));
    strip(&mut touched);
    let text = ogn::write(&touched).replace('\n', " ");
    assert!(text.contains("I see.") && !text.contains("[oware"), "{text}");
}

/// Whether every tag of a text is closed in its order, attributes are quoted and nothing stands
/// in it that must be escaped.
fn well_formed(text: &str) -> Result<usize, String> {
    let (mut open, mut count, mut rest) = (Vec::new(), 0, text);
    while let Some(at) = rest.find('<') {
        let data = &rest[..at];
        for (place, _) in data.match_indices('&') {
            let entity = data[place + 1..].split(';').next().unwrap_or_default();
            if !["amp", "lt", "gt", "quot", "#39"].contains(&entity) {
                return Err(format!("a bare & in {data:?}"));
            }
        }
        if data.contains('>') {
            return Err(format!("a bare > in {data:?}"));
        }
        let end = rest[at..].find('>').ok_or("an open tag")? + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        count += 1;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("{name} is closed and not open"));
            }
            continue;
        }
        if tag.matches('"').count() % 2 != 0 || tag.contains('<') {
            return Err(format!("quotes in {tag:?}"));
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    if open.is_empty() && rest.trim().is_empty() { Ok(count) } else { Err(format!("{open:?}")) }
}

#[test]
fn pictures_are_well_formed_and_say_what_they_show() {
    let (record, game) = careless();
    let found = analysed(&game, 4);
    let name = |tag| record.tag(tag).unwrap().to_owned();
    let caption =
        Caption { south: name("South"), north: name("North"), result: "a\u{1}<&>\n'".into() };
    let picture = svg(&found, &caption);
    let tags = well_formed(&picture).unwrap_or_else(|why| panic!("{why}: {picture}"));
    assert!(tags > 30, "{picture}");
    for part in [
        "<title id=",
        "<desc id=",
        "role=\"img\"",
        "prefers-color-scheme:dark",
        "A &amp; &lt;B&gt; (South)",
        "&quot;Kofi&quot;",
        "was better",
        "a&lt;&amp;&gt; &#39;",
    ] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    let long = Caption { south: "&".repeat(100), ..caption };
    let picture = svg(&found, &long);
    well_formed(&picture).unwrap();
    assert!(picture.contains(&format!(">{}... (South)", "&amp;".repeat(29))), "{picture}");
    assert!(well_formed("<a><b></a></b>").is_err() && well_formed("<a>&</a>").is_err());
}

#[test]
fn graphs_fit_their_width() {
    let (_, game) = careless();
    let found = analysed(&game, 4);
    for (width, height, ascii) in [(20, 1, true), (80, 5, false), (100, 3, true)] {
        let lines = graph(&found, &GraphStyle { width, height, ascii });
        assert!(lines.len() >= 2 * height + 2, "{lines:?}");
        for line in &lines {
            assert!(line.chars().count() <= width, "{line}");
            assert!(!ascii || line.is_ascii(), "{line}");
        }
        let zero = lines.iter().position(|line| line.trim_start().starts_with("0 ")).unwrap();
        assert_eq!(zero, height);
    }
    let drawn = graph(&found, &GraphStyle { width: 40, height: 4, ascii: true }).join("\n");
    assert!(drawn.contains('#'), "{drawn}");
    assert!(drawn.contains('B') || drawn.contains('M'), "{drawn}");
}

/// A game without end, by rules under which nothing ends it.
fn endless(plies: usize) -> Game {
    let setup = Setup {
        houses: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
        stores: [23, 23],
        to_move: Side::North,
    };
    let rules = "abapa,repetition=off".parse().unwrap();
    let round = "fAaBbCcDdEeF";
    let moves: String = round.chars().cycle().take(plies).collect();
    play_moves(Position::new(setup, rules).unwrap(), &moves).unwrap()
}

#[test]
fn a_game_of_a_thousand_plies() {
    let game = endless(1000);
    let found = analysed(&game, 2);
    assert_eq!((found.plies.len(), found.stopped), (1000, false));
    let lines = graph(&found, &GraphStyle { width: 80, height: 4, ascii: false });
    assert!(lines.iter().all(|line| line.chars().count() <= 80));
    well_formed(&svg(&found, &Caption::default())).unwrap();
    let record = Record::from_game(&game, Vec::new());
    let text = ogn::write(&annotate(&record, &found, "1.0", "2 plies"));
    ogn::verify_variations(&ogn::parse(&text).unwrap()).unwrap();
}

#[test]
fn games_without_moves() {
    let found = analysed(&Game::new(Rules::ABAPA), 3);
    assert_eq!((found.plies.len(), found.points().count()), (0, 1));
    assert_eq!(found.players[0].accuracy(), None);
    well_formed(&svg(&found, &Caption::default())).unwrap();
    assert!(!graph(&found, &GraphStyle { width: 40, height: 2, ascii: true }).is_empty());
    let over = Setup { houses: [0; 12], stores: [30, 18], to_move: Side::North };
    let over = Game::from_position(Position::new(over, Rules::ABAPA).unwrap());
    let found = analysed(&over, 3);
    assert_eq!(found.start.unwrap().south.hundredths(), 1200);
    assert_eq!(found.start.unwrap().chances.win, 1000);
}

#[test]
fn stopped_it_gives_what_it_has() {
    let control = Control::new();
    control.stop();
    let game = play_moves(Position::start(Rules::ABAPA), "FfBeBc").unwrap();
    let found = analyst().game(&game, &Effort::default(), 1, &control, &mut |_, _| {}).unwrap();
    assert!(found.stopped && found.plies.is_empty());
    assert!(graph(&found, &GraphStyle { width: 40, height: 2, ascii: true }).is_empty());
    well_formed(&svg(&found, &Caption::default())).unwrap();
    assert!(analyst().position(&game, &Effort::default(), 6, &control).unwrap().stopped);
}

/// The same game under every rule set: nothing fails, costs are never negative.
#[test]
fn other_rules() {
    for preset in oware_rules::PRESETS {
        let moves = "FfBeBc";
        let game = play_moves(Position::start(preset.rules), moves).unwrap();
        let found = analysed(&game, 4);
        assert_eq!(found.plies.len(), moves.len(), "{}", preset.name);
        assert!(found.plies.iter().all(|ply| ply.lost.hundredths() >= 0));
    }
}

/// Tables say nothing for certain where a position that was there may come back and end the game.
#[test]
fn the_past_is_not_forgotten() {
    let rules = Rules::ABAPA;
    let setup = Setup {
        houses: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
        stores: [24, 22],
        to_move: Side::North,
    };
    let round = "fAaBbCcDdEeF";
    let moves: String = round.chars().cycle().take(2 * round.len() - 1).collect();
    let game = play_moves(Position::new(setup, rules).unwrap(), &moves).unwrap();
    let found = analyst_with_tables(&rules).position(&game, &plies(4), 6, &Control::new()).unwrap();
    let back = found.moves.iter().find(|value| value.house.letter() == 'F').unwrap();
    // F brings the position back for the third time, and the rules share it out.
    assert_eq!(back.known, Known::Ending, "{back:?}");
    let before = play_moves(*game.start(), &moves[..moves.len() - 1]).unwrap();
    let found =
        analyst_with_tables(&rules).position(&before, &plies(4), 6, &Control::new()).unwrap();
    assert!(found.moves.iter().any(|value| value.past && value.proven.is_none()), "{found:?}");
}

/// A search that rests on tables which share out loops otherwise than the rules is not certain.
#[test]
fn what_rests_on_even_tables_is_not_called_certain() {
    let mut rng = TestRng::from_env("what_rests_on_even_tables_is_not_called_certain");
    let control = Control::new();
    let (mut if_even, mut certain) = (0, 0);
    for rules in [Rules::ABAPA, Rules::AWARI] {
        let mut analyst = analyst_with_tables(&rules);
        for _ in 0..30 {
            let game = Game::from_position(endgame(&mut rng, 9, rules));
            let found = analyst.position(&game, &nodes(100_000), 6, &control).unwrap();
            for value in &found.moves {
                let Known::Complete { if_even: rests, .. } = value.known else { continue };
                assert_eq!(rests, rules == Rules::ABAPA, "{value:?}");
                let best = value.chances.win.max(value.chances.draw).max(value.chances.loss);
                match rests {
                    true => if_even += 1,
                    false => {
                        certain += 1;
                        assert_eq!(best, 1000, "{value:?}");
                    }
                }
                assert!(
                    !rests
                        || best < 1000
                        || value.proven.is_some()
                        || value.score.hundredths().abs() > 400
                );
            }
        }
    }
    assert!(if_even > 5 && certain > 5, "{if_even} {certain}");
}
