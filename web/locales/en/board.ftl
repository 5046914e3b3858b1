# What the board says of itself, to screen readers above all. $owner is mine, theirs, south, north.

board-name = Oware board
board-separator = ""
    .text = ,{" "}
    .end = .
board-row = { $owner ->
    [mine] your row
    [theirs] opponent’s row
    [south] South’s row
   *[north] North’s row
}
board-place = { $owner ->
    [mine] your house { $number }
    [theirs] opponent’s house { $number }
    [south] South’s house { $number }
   *[north] North’s house { $number }
}
board-house = { $owner ->
    [mine] your house { $number }
    [theirs] opponent’s house { $number }
    [south] South’s house { $number }
   *[north] North’s house { $number }
}, { $seeds ->
    [0] empty
    [one] 1 seed
   *[other] { $seeds } seeds
}
board-chosen = chosen
board-can-play = can play
board-lands = lands in { $place }
board-takes = takes { $seeds }
board-slam-nothing_captured = it would take everything, so nothing is captured
board-slam-opponent_took_rest = it takes everything, so the rest goes to the opponent
board-slam-kept = it would take everything, so one house is left
board-slam-captured_all = it takes everything
board-reason-empty = empty
board-reason-must_feed = not now: the opponent has no seeds, and this gives none
board-reason-grand_slam = not allowed: it would take every seed of the opponent
board-reason-leaves_no_seed = not allowed: it would leave the opponent no seed
board-mark-hint = suggested
board-mark-good = good
board-mark-bad = a mistake
board-mark-look = look here
board-mark-arrow = an arrow starts here
board-moved = { $owner ->
    [mine] you
    [theirs] opponent
    [south] South
   *[north] North
} played house { $number }, { $seeds ->
    [one] 1 seed
   *[other] { $seeds } seeds
}
board-ended-in = ending in { $place }
board-took = taking { $seeds }
board-score = { $owner ->
    [mine] you
    [theirs] opponent
    [south] South
   *[north] North
} { $seeds }
board-over = the game is over
board-row-seeds = { $owner ->
    [mine] your row
    [theirs] opponent’s row
    [south] South’s row
   *[north] North’s row
}: { $seeds }
board-no-move = No move has been played yet.
confirm-none = Choose a house
confirm-move = Play { $house }
