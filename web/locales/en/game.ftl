# The table: players, clocks, moves, what happens and why. Sides are South and North, houses A to F
# and a to f.

side-south = South
side-north = North
seat-computer = Computer, level { $level }
seat-open = Free seat
seat-you = You
seat-away = away
seat-away-claim = away; the game can be claimed in { $seconds } s
seat-away-claim-now = away; the game can be claimed
seeds-taken = { $seeds ->
    [0] no seeds yet
    [one] 1 seed
   *[other] { $seeds } seeds
}
rating-change = { $change ->
    [0] ±0
   *[other] { NUMBER($change, signDisplay: "always") }
}
match-points = { $points ->
    [one] 1 point in the match
   *[other] { $points } points in the match
}
clock-of = Clock of { $name }
no-clock = This game has no clock.
no-evaluation = There is no evaluation during a game.
due = move due { $when }
moves = Moves
moves-none = No move yet.
moves-steps = Steps through the game
moves-first = To the start
moves-previous = One move back
moves-next = One move on
moves-last = To the last move
move-spoken = Move { $number }: { $house }{ $seeds ->
    [0] {""}
   *[other] , takes { $seeds }
}
move-spoken-slam = Move { $number }: { $house }, grand slam{ $seeds ->
    [0] {""}
   *[other] , takes { $seeds }
}
status-waiting = Waiting for somebody to sit down
status-move-waits = Your move is waiting to be sent
status-sent = …
status-looking-back = After move { $ply }
status-computer-thinks = The computer is thinking
status-your-turn = Your turn
status-turn = { $side } to move
line-reconnecting = Reconnecting…
line-move-waits = Reconnecting… your move is kept and will be sent.
line-revoked = This session was ended elsewhere. Load the page again to go on.
notice-move-dropped = Your move could not be played any more: the game has changed meanwhile.
why-slam-nothing-captured = { $side }’s move would have taken every seed of the other row. That is a grand slam, and under these rules it takes nothing.
why-slam-kept = { $side }’s move would have taken every seed of the other row. Under these rules one house of the chain stays.
why-slam-captured-all = { $side }’s move took every seed of the other row: a grand slam.
why-slam-opponent-took-rest = { $side }’s move took every seed of the other row: a grand slam. Under these rules the opponent gets what is left on the board.
why-forbidden-must-feed = The other row is empty, so a move must give it seeds. { $houses } would give none.
why-forbidden-grand-slam = { $houses } would take every seed of the other row, which these rules forbid.
why-forbidden-leaves-no-seed = { $houses } would leave the other row without a seed, which these rules forbid.
why-skip = { $house } held twelve seeds or more: the sowing went all the way round and left out the house it came from.
why-repetition = This position has come up { $times } times. When it comes up { $limit } times, the game ends as a loop.
end-title-aborted = The game was called off
end-title-draw = A draw, { $south } to { $north }
end-title-won = You win, { $mine } to { $theirs }
    .plain = You win
end-title-lost = You lose, { $mine } to { $theirs }
    .plain = You lose
end-title-south = South wins, { $south } to { $north }
    .plain = South wins
end-title-north = North wins, { $north } to { $south }
    .plain = North wins
end-majority = Twenty-five seeds are more than half: the game is decided. Seeds left on the board belong to nobody.
end-even = Both have twenty-four seeds.
end-no-move = The player to move cannot move, so the game ends and the seeds on the board are shared out.
end-repetition = The same position came up too often: the game goes in circles. The seeds on the board are shared out.
end-loop-agreed = Both agreed that the game goes in circles. The seeds on the board are shared out.
end-capture-free-limit = Nothing was captured for too long. The seeds on the board are shared out.
end-grand-slam-rest = A grand slam ended the game, and the rest of the seeds was handed over.
end-draw-agreed = Both agreed on a draw.
end-resignation = By resignation.
end-time = Time ran out.
end-abandonment = The other player stayed away, and the game was claimed.
end-adjudication = Decided by the administration.
end-aborted = It does not count.
offer-from-them-draw = Your opponent offers a draw.
offer-from-them-loop = Your opponent offers to end the game as a loop: each takes what is shared out to them.
offer-from-them-takeback = Your opponent would like to take back a move.
offer-from-you-draw = You have offered a draw.
offer-from-you-loop = You have offered to end the game as a loop.
offer-from-you-takeback = You have asked to take back a move.
offer-accept = Accept
offer-decline = Decline
offer-withdraw = Withdraw
action-takeback = Take back
action-hint = Hint
action-hinting = Thinking…
action-draw = Offer a draw
    .short = Draw
action-loop = Offer a loop
    .short = Loop
action-resign = Resign
action-abort = Call off
action-claim = Claim the game
action-sound = Sound
action-flip = Turn the board
resign-sure = Resign this game?
resign-sure-side = Shall { $side } resign?
talk = At the table
log-said = { $name }: { $text }
log-joined = { $who ->
    [you] You sit down as { $side }.
   *[other] { $name } sits down as { $side }.
}
log-joined-somebody = Somebody sits down as { $side }.
log-offered-draw = { $who ->
    [you] You offer a draw.
   *[other] { $name } offers a draw.
}
log-offered-loop = { $who ->
    [you] You offer to end as a loop.
   *[other] { $name } offers to end as a loop.
}
log-offered-takeback = { $who ->
    [you] You would like to take back a move.
   *[other] { $name } would like to take back a move.
}
log-declined-draw = No draw.
log-declined-loop = No loop.
log-declined-takeback = The move stands.
log-taken-back = { $plies ->
    [one] One move was taken back.
   *[other] { $plies } moves were taken back.
}
log-clock-shifted = The site was away for { $away } s. That time counts for nobody, and each player got { $gift } s on top.
log-rematch = { $who ->
    [you] You would like a rematch.
   *[other] { $name } would like a rematch.
}
phrase-hello = Hello!
phrase-good_luck = Good luck!
phrase-have_fun = Have fun!
phrase-well_played = Well played!
phrase-nice_move = Nice move!
phrase-thanks = Thank you!
phrase-sorry = Sorry!
phrase-oops = Oops!
phrase-one_moment = One moment, please.
phrase-goodbye = Goodbye!
time-unlimited = no clock
time-clock = { $minutes } min + { $seconds } s
time-days = { $days ->
    [one] 1 day a move
   *[other] { $days } days a move
}
rated = rated
casual = casual
counts-hidden = seeds uncounted
watchers = { $count ->
    [one] 1 person watching
   *[other] { $count } people watching
}
lag = line { $ms } ms
rules-abapa = Abapa
rules-abapa-first-repetition = Abapa, ends at the first repetition
rules-slam-illegal = Grand slam forbidden
rules-slam-opponent-takes-rest = Grand slam gives the rest away
rules-slam-keep-last = Grand slam keeps the last house
rules-slam-keep-first = Grand slam keeps the first house
rules-slam-captures = Grand slam captures
rules-awari = Awari
fault-bad-field = Something in the form is not as expected.
fault-bad-json = The site did not understand the request.
fault-not-found = There is no such thing here.
fault-not-yours = This is not yours.
fault-not-your-turn = It is not your turn.
fault-illegal-move = This move is not legal here.
fault-stale = That was too late: the game has gone on.
fault-game-over = The game is over.
fault-no-offer = There is no such offer any more.
fault-too-many = That was a lot at once. Please wait a moment.
fault-not-signed-in = Please sign in first.
fault-forbidden = This is not allowed.
fault-taken = This is taken already.
fault-wrong-password = Name or password are wrong.
fault-wrong-method = The site did not understand the request.
fault-field-name = The name: 3 to 20 letters, digits, - and _, beginning with a letter; some are kept for the site.
fault-field-password = The password: at least 8 characters, not the name, and not one character over and over.
fault-field-new = The new password: at least 8 characters, not the name, and not one character over and over.
fault-field-opponent-name = There is no account of this name, or it is your own.
fault-field-rated = Rated games need two accounts, time that is counted, and the usual start.
fault-too-large = That is too large.
fault-busy = The site is busy. Please try again in a moment.
fault-restarting = The site is restarting. Please try again in a moment.
fault-internal = The site failed at this. Nothing has been changed.
fault-unreached = The site does not answer. Is the line open?
fault-other = It did not work: { $message }
new-game = New game
new-game-start = Start the game
setup-level = Level { $level }
setup-level-hint-1 = Has just learned to sow.
setup-level-hint-2 = Sees a capture now and then.
setup-level-hint-3 = Takes what it sees.
setup-level-hint-4 = Thinks of your answer, often.
setup-level-hint-5 = A steady beginner.
setup-level-hint-6 = Plays with a plan.
setup-level-hint-7 = Makes few gifts.
setup-level-hint-8 = A good club player.
setup-level-hint-9 = Strong.
setup-level-hint-10 = Very strong.
setup-level-hint-11 = Rarely beaten.
setup-level-hint-12 = As strong as it can be.
setup-rules = Rules
setup-rules-more = What these rules say
setup-seat = You play
setup-seat-south = First
setup-seat-north = Second
setup-seat-random = By lot
setup-ready = The board is ready: choose a house in the lower row.
play-again = Play again
play-again-swapped = Change sides
play-analyse = Look at the game
hint-text = The engine would play { $house }.
