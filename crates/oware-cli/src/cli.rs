//! The command line: what can be asked for, and the help that says so.

use clap::{Parser, Subcommand};

use crate::commands::{
    analyse, bench, book, completions, convert, engine, man, matches, moves, perft, replay, rules,
    serve, tables,
};
use crate::play;

/// The widest that help is set.
const HELP_WIDTH: usize = 100;

const EXAMPLES: &str = "\
Examples:
  oware play                           a game against the computer, in the terminal
  oware serve                          the site, on http://127.0.0.1:8080
  oware analyse game.ogn               what the moves of a game were worth
  oware rules                          the rules that can be played
  oware perft --depth 9                count move sequences
  oware moves < positions.jsonl        legal moves and what they do, for programs
  oware replay game.ogn                check a game record
  oware tables list                    the endgame tables there are
  oware engine                         the engine, for programs that speak UCI
  oware match --each nodes=20000 --engine name=a --engine name=b,kind=plain
                                       which engine is stronger, and by how much

Exit status: 0 if all went well, 2 for a wrong command line, 1 for any other fault.";

/// Oware (Abapa, Awale, Warri, Awari): play it, and check positions and games, exactly by the
/// rules in every variant.
#[derive(Debug, Parser)]
#[command(
    name = "oware",
    version,
    max_term_width = HELP_WIDTH,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = EXAMPLES
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// One command each.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a game in the terminal
    Play(play::PlayArgs),
    /// Serve the site: play in the browser, alone or with others
    Serve(serve::ServeArgs),
    /// Say what the moves of a position or a game are worth, and how that is known
    Analyse(analyse::AnalyseArgs),
    /// Say what each legal move of a position does: JSON lines in, JSON lines out
    Moves(moves::MovesArgs),
    /// Check game records move by move
    Replay(replay::ReplayArgs),
    /// Count the move sequences from a position
    Perft(perft::PerftArgs),
    /// Convert positions and game records between formats
    Convert(convert::ConvertArgs),
    /// Look into endgame tables
    Tables(tables::TablesArgs),
    /// Speak the engine protocol: moves and analysis for other programs
    Engine(engine::EngineArgs),
    /// Play a match between engines, and say what it proves
    Match(matches::MatchArgs),
    /// Search fixed positions: the engine's speed, and its signature
    Bench(bench::BenchArgs),
    /// Build opening books, and look into them
    Book(book::BookArgs),
    /// Explain the rules that can be played
    Rules(rules::RulesArgs),
    /// Write completions for a shell
    Completions(completions::CompletionsArgs),
    /// Write the manual pages
    Man(man::ManArgs),
}
