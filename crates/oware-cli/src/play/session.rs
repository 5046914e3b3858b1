//! A series of games with its save file: what both front ends drive.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use oware_app::{Control, Knowledge, OfferAnswer, Player, Table, Turn};
use oware_notation::{Tag, ogn};
use oware_rules::{Ending, Game, House, OfferKind, Side};

use super::args::{PlayArgs, Start};
use super::words;
use crate::commands::tables;
use crate::output::write_file;

/// The tag of a save that holds the series: number of the game, games, South's wins, North's,
/// half seeds of South and of North in the games before.
const SERIES: &str = "Series";
/// The most games a series can have.
pub(crate) const MOST_GAMES: u32 = 1000;

/// The game in play, the series around it, and where it is saved.
pub(crate) struct Session {
    /// The game and its players.
    pub(crate) table: Table,
    /// Number of the game in play, from 1.
    pub(crate) number: u32,
    games: u32,
    wins: [u32; 2],
    half_seeds: [u32; 2],
    save: PathBuf,
    /// Held as long as the program runs, so that no second one writes the same save.
    _lock: File,
}

/// What to do with a saved game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Saved {
    /// Go on with it.
    Resume,
    /// Put it aside.
    Aside,
}

fn default_save() -> anyhow::Result<PathBuf> {
    if let Some(folder) = std::env::var_os("OWARE_DATA").filter(|folder| !folder.is_empty()) {
        return Ok(PathBuf::from(folder).join("game.ogn"));
    }
    let folders = directories::ProjectDirs::from("", "", "oware")
        .context("no home directory to save the game in; name a file with --save")?;
    Ok(folders.data_dir().join("game.ogn"))
}

/// Takes the save for this program alone.
fn lock(save: &Path) -> anyhow::Result<File> {
    if let Some(folder) = save.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let path = save.with_extension("lock");
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => {
            bail!("another game is open on {}; name another file with --save", save.display())
        }
        Err(fs::TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", path.display()))
        }
    }
}

fn clock_seed() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |time| time.as_nanos() as u64 % 1_000_000)
}

impl Session {
    /// Opens the save and sits down: with the saved game if there is one that is not over and
    /// `choose` wants it, else with a new one. Gives what there is to say about it.
    pub(crate) fn open(
        args: &PlayArgs,
        choose: &mut dyn FnMut(&str) -> anyhow::Result<Saved>,
    ) -> anyhow::Result<(Session, Vec<String>)> {
        let given = args.position.resolve()?;
        let save = args.save.clone().map_or_else(default_save, Ok)?;
        let _lock = lock(&save)?;
        let seed = args.seed.unwrap_or_else(clock_seed);
        let mut said = Vec::new();
        let starter = match args.start {
            Start::South => Side::South,
            Start::North => Side::North,
            Start::Lot => {
                let drawn = Side::BOTH[(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63) as usize];
                said.push(format!("The lot (seed {seed}) gives {drawn} the first move."));
                drawn
            }
        };
        let first = match args.position.has_position() || given.to_move() == starter {
            true => given,
            false => given.mirrored(),
        };
        let table = Table::new(Game::from_position(first), args.players(), seed);
        let mut session = Session {
            table,
            number: 1,
            games: args.games,
            wins: [0; 2],
            half_seeds: [0; 2],
            save,
            _lock,
        };
        session.take_up_save(args, choose, &mut said)?;
        session.open_tables(args.tables.as_deref(), args.table_cache, &mut said);
        Ok((session, said))
    }

    fn take_up_save(
        &mut self,
        args: &PlayArgs,
        choose: &mut dyn FnMut(&str) -> anyhow::Result<Saved>,
        said: &mut Vec<String>,
    ) -> anyhow::Result<()> {
        let bytes = match fs::read(&self.save) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", self.save.display()));
            }
        };
        let (table, series) = match read_save(&bytes) {
            Ok(read) => read,
            Err(error) => {
                let aside = self.put_aside()?;
                said.push(format!("The saved game cannot be read ({error:#}); kept as {aside}."));
                return Ok(());
            }
        };
        if table.game().is_over() {
            // A finished game is a record worth keeping; with no name left it has to give way.
            let _ = self.put_aside();
            return Ok(());
        }
        let plies = table.game().plies().len();
        let asked = format!("A game of {plies} plies under {} is saved.", table.game().rules());
        let wish = match (args.resume, args.new) {
            (true, _) => Saved::Resume,
            (_, true) => Saved::Aside,
            _ => choose(&asked)?,
        };
        match wish {
            Saved::Resume => {
                self.table = table;
                if let Some([number, games, wins @ .., south, north]) = series {
                    (self.number, self.games) = (number, games);
                    (self.wins, self.half_seeds) = (wins, [south, north]);
                }
                said.push(format!("Going on with the saved game after {plies} plies."));
            }
            Saved::Aside => said.push(format!("The saved game is kept as {}.", self.put_aside()?)),
        }
        Ok(())
    }

    /// Puts the endgame tables on the table. Where there are none there is nothing to say; ones
    /// that cannot be read are no reason not to play.
    fn open_tables(&mut self, dir: Option<&Path>, cache: tables::Size, said: &mut Vec<String>) {
        let Some(dir) = dir.map(Path::to_owned).or_else(tables::default_dir) else { return };
        match Knowledge::open_with(&dir, self.table.game().rules(), cache.cache()) {
            Ok(knowledge) if knowledge.is_empty() => {}
            Ok(knowledge) => {
                self.table.set_knowledge(Some(knowledge));
            }
            Err(error) => said.push(format!("The endgame tables are left out: {error}.")),
        }
    }

    /// Renames the save so that nothing is lost.
    fn put_aside(&self) -> anyhow::Result<String> {
        for number in 1..10_000 {
            let aside = self.save.with_extension(format!("{number}.ogn"));
            if !aside.exists() {
                fs::rename(&self.save, &aside).context("cannot put the saved game aside")?;
                return Ok(aside.display().to_string());
            }
        }
        bail!("too many games are kept beside {}", self.save.display())
    }

    /// Writes the game as it stands, to the save or to a file of the player's.
    pub(crate) fn save(&self, file: Option<&Path>) -> anyhow::Result<()> {
        let path = file.unwrap_or(&self.save);
        let tag = |name: &str, value: String| Tag::new(name, value);
        let mut tags = vec![
            tag("Event", "Casual game".into())?,
            tag("South", self.table.player(Side::South).name().into())?,
            tag("North", self.table.player(Side::North).name().into())?,
            tag("Seed", self.table.seed().to_string())?,
        ];
        if self.is_series() {
            let [south, north] = self.wins;
            let [south_halves, north_halves] = self.half_seeds;
            let numbers = [self.number, self.games, south, north, south_halves, north_halves];
            tags.push(tag(SERIES, numbers.map(|number| number.to_string()).join(" "))?);
        }
        let record = ogn::Record::from_game(self.table.game(), tags);
        write_file(path, ogn::write(&record).as_bytes())
    }

    /// Plays a move and saves. The sentences tell what happened.
    pub(crate) fn play(&mut self, house: House) -> anyhow::Result<Result<Vec<String>, String>> {
        let turn = match self.table.play(house) {
            Ok(turn) => turn,
            Err(error) => return Ok(Err(format!("That cannot be played: {error}."))),
        };
        self.save(None)?;
        Ok(Ok(self.tell(&turn)))
    }

    fn tell(&self, turn: &Turn) -> Vec<String> {
        let mut said = vec![words::turn(turn)];
        said.extend(words::surprises(turn, self.table.game().occurrences()));
        said.extend(turn.ending.map(|end| words::ending(&end, self.table.game().rules())));
        said
    }

    /// Takes back, or does again, and saves.
    pub(crate) fn step(&mut self, back: bool) -> anyhow::Result<String> {
        let done = if back { self.table.undo() } else { self.table.redo() };
        if !done {
            return Ok(format!("There is nothing to {}.", if back { "take back" } else { "redo" }));
        }
        self.save(None)?;
        let plies = self.table.game().plies().len();
        Ok(format!("{} to ply {plies}.", if back { "Taken back" } else { "Gone forward" }))
    }

    /// The side whose person speaks.
    fn speaker(&self) -> Side {
        self.table.person().unwrap_or(self.table.game().position().to_move())
    }

    /// Makes an offer.
    pub(crate) fn offer(&mut self, kind: OfferKind) -> anyhow::Result<String> {
        let by = self.speaker();
        let answer = match self.table.offer(by, kind, &Control::new()) {
            Ok(answer) => answer,
            Err(error) => return Ok(format!("No offer: {error}.")),
        };
        self.save(None)?;
        Ok(match answer {
            OfferAnswer::Accepted(end) => {
                format!("Accepted. {}", words::ending(&end, self.table.game().rules()))
            }
            OfferAnswer::Declined => format!("{} declines: it expects more.", by.other()),
            OfferAnswer::Waits => {
                format!("{by} offers a {kind}. {}: accept, decline, or just move.", by.other())
            }
        })
    }

    /// Answers an offer.
    pub(crate) fn answer(&mut self, accept: bool) -> anyhow::Result<String> {
        let said = match self.table.answer(accept) {
            Ok(Some(end)) => words::ending(&end, self.table.game().rules()),
            Ok(None) => "Declined.".into(),
            Err(error) => format!("{error}."),
        };
        self.save(None)?;
        Ok(said)
    }

    /// Resigns for the person.
    pub(crate) fn resign(&mut self) -> anyhow::Result<String> {
        let side = self.speaker();
        let said = match self.table.resign(side) {
            Ok(end) => words::ending(&end, self.table.game().rules()),
            Err(error) => format!("{error}."),
        };
        self.save(None)?;
        Ok(said)
    }

    /// A hint, and what the endgame tables say of the position, in sentences.
    pub(crate) fn hint(&self) -> String {
        let Some(choice) = self.table.hint(&Control::new()) else {
            return "The game is over.".into();
        };
        let mover = self.table.game().position().to_move();
        let known = match self.table.verdict() {
            Ok(None) => return words::hint(&choice),
            Ok(Some(verdict)) => tables::words::claim(verdict.claim, mover, verdict.past),
            Err(error) => format!("not to be read, {error}"),
        };
        format!("{} Endgame tables: {known}.", words::hint(&choice))
    }

    /// Counts the finished game and begins the next of the series. Gives the tally, and whether
    /// there is a next game.
    pub(crate) fn next_game(&mut self, end: Ending) -> anyhow::Result<(String, bool)> {
        if let Some(winner) = end.winner {
            self.wins[winner.index()] += 1;
        }
        self.half_seeds[0] += u32::from(end.score.south.halves());
        self.half_seeds[1] += u32::from(end.score.north.halves());
        let seeds = self.half_seeds.map(|halves| f64::from(halves) / 2.0);
        let tally = format!(
            "After {} of {} games: South {} wins, North {}; seeds {}-{}.",
            self.number, self.games, self.wins[0], self.wins[1], seeds[0], seeds[1]
        );
        if self.number >= self.games {
            return Ok((tally, false));
        }
        self.number += 1;
        // The start alternates: the same beginning with the sides exchanged.
        let first = self.table.game().start().mirrored();
        let players = Side::BOTH.map(|side| self.table.player(side));
        let seed = self.table.seed().wrapping_add(1);
        let knowledge = self.table.knowledge().cloned();
        self.table = Table::new(Game::from_position(first), players, seed);
        self.table.set_knowledge(knowledge);
        self.save(None)?;
        Ok((tally, true))
    }

    /// Whether more than one game is played.
    pub(crate) fn is_series(&self) -> bool {
        self.games > 1
    }
}

/// The numbers of the tag [`SERIES`].
type Series = [u32; 6];

/// Reads the tally of a series; nothing where there is none or it cannot be one.
fn read_series(text: &str) -> Option<Series> {
    let numbers: Option<Vec<u32>> = text.split(' ').map(|number| number.parse().ok()).collect();
    let series: Series = numbers?.try_into().ok()?;
    let [number, games, south, north, halves @ ..] = series;
    let played = number.checked_sub(1)?;
    let possible = number <= games
        && games <= MOST_GAMES
        && south.checked_add(north).is_some_and(|won| won <= played)
        && halves.iter().all(|&halves| halves <= played * 96);
    possible.then_some(series)
}

fn read_save(bytes: &[u8]) -> anyhow::Result<(Table, Option<Series>)> {
    let record = ogn::parse(ogn::decode(bytes)?)?;
    let game = ogn::replay(&record)?;
    let player = |side: &str| -> anyhow::Result<Player> {
        let name = record.tag(side).unwrap_or("person");
        name.parse().map_err(|expected| anyhow::anyhow!("tag {side} is {name:?}, {expected}"))
    };
    let seed = record.tag("Seed").and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let series = record.tag(SERIES).and_then(read_series);
    Ok((Table::new(game, [player("South")?, player("North")?], seed), series))
}
