"""Plays random games in OpenSpiel's `oware` and has the binary `oware` follow them.

Every position before a move must have the same legal moves, and every game must end at the same
ply with the same scores, under `abapa-first-repetition`. One difference is known and allowed:
OpenSpiel shares out the seeds left on the board when a store reaches 25, Oware leaves them.

Run through `cargo xtask openspiel [GAMES] [SEED]`, which installs the wheel `open_spiel`.
"""

import argparse
import collections
import itertools
import json
import random
import subprocess
import sys
import tempfile

import pyspiel

RULES = "abapa-first-repetition"
LETTERS = "ABCDEFabcdef"


def numbers(state):
    """The player to move, both scores and the twelve houses of a state, from its text."""
    player, scores, houses = (part.split() for part in state.observation_string(0).split("|"))
    return int(player[0]), [int(n) for n in scores], [int(n) for n in houses]


def play_games(count, rng):
    """Random games: for each the moves, the positions with their legal moves, the last state."""
    game = pyspiel.load_game("oware")
    for _ in range(count):
        state = game.new_initial_state()
        moves, positions = [], []
        while not state.is_terminal():
            legal = state.legal_actions()
            positions.append((state.observation_string(0), legal))
            action = rng.choice(legal)
            moves.append(LETTERS[6 * state.current_player() + action])
            state.apply_action(action)
        yield "".join(moves), positions, numbers(state), state.returns()


def run(oware, arguments, lines):
    """The binary's answers to JSON lines, one each."""
    with tempfile.TemporaryFile("w+") as given:
        for line in lines:
            given.write(json.dumps(line) + "\n")
        given.seek(0)
        done = subprocess.run([oware, *arguments], stdin=given, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"oware {' '.join(arguments)} failed: {done.stderr}{done.stdout[-300:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(oware, games):
    """Compares a batch; the number of positions and how the games ended."""
    asked = [(text, legal) for _, positions, _, _ in games for text, legal in positions]
    answers = run(oware, ["moves"], [{"position": text, "rules": RULES} for text, _ in asked])
    if len(answers) != len(asked):
        sys.exit(f"{len(asked)} positions gave {len(answers)} answers")
    for (text, legal), answer in zip(asked, answers):
        if answer["legal"] != legal or answer["over"] is not None:
            sys.exit(f"{text}: OpenSpiel has {legal}, oware {answer['legal']} {answer['over']}")
    ends = collections.Counter()
    answers = run(oware, ["replay", "--json"], [{"moves": g[0], "rules": RULES} for g in games])
    for (moves, _, (_, scores, houses), returns), answer in zip(games, answers, strict=True):
        ours = answer["scores"]
        if answer["reason"] == "majority":
            unshared = 48 - sum(ours)
            same = sum(scores) - sum(ours) == unshared and all(
                0 <= theirs - mine for theirs, mine in zip(scores, ours)
            )
        else:
            same = scores == ours
        sign = (ours[0] > ours[1]) - (ours[0] < ours[1])
        same = same and sign == (returns[0] > 0) - (returns[0] < 0) and sum(scores) + sum(houses) == 48
        if not same or answer["reason"] is None or answer["plies"] != len(moves):
            sys.exit(f"{moves}: OpenSpiel ends {scores} {houses} {returns}, oware {answer}")
        ends[answer["reason"]] += 1
    return len(asked), ends


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--oware", required=True, help="path of the binary")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    positions, ends, games = 0, collections.Counter(), play_games(given.games, rng)
    print(f"{given.games} games, seed {given.seed}")
    while batch := list(itertools.islice(games, 500)):
        more, reasons = compare(given.oware, batch)
        positions += more
        ends += reasons
    print(f"{positions} positions, ends {dict(ends)}: no difference but the known one")
    if sum(ends.values()) != given.games:
        sys.exit(f"only {sum(ends.values())} of {given.games} games were compared")


main()
