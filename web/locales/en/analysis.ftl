# Analysis. Every value says from where it is known, and for whom it counts: above zero for South.

analysis-tabs = What to look at
analysis-tab-moves = Moves
analysis-tab-tables = Tables
analysis-tab-report = Report
analysis-tab-texts = Share
analysis-tab-editor = Set up
analysis-engine = Engine
analysis-bar = South is expected to end { $seeds } seeds ahead
analysis-bar-unknown = Nothing is known of this position yet
analysis-thinking = { $depth ->
    [0] Looking…
    [one] Looking… 1 ply, { $nodes } positions
   *[other] Looking… { $depth } plies, { $nodes } positions
}
analysis-thought = { $depth ->
    [0] { $nodes } positions
    [one] 1 ply, { $nodes } positions
   *[other] { $depth } plies, { $nodes } positions
}
analysis-lines = Lines
analysis-values-note = Seeds that South ends ahead when both play on to the last seed. Its sign is also the result.
analysis-known-ending = ends the game
analysis-known-exact = tables: exact
analysis-known-if_even = tables: if loops are split evenly
analysis-known-complete = searched to the end
analysis-known-complete_if_even = searched to the tables: if loops are split evenly
analysis-known-search = { $depth ->
    [one] search, 1 ply
   *[other] search, { $depth } plies
}
analysis-past = An earlier position of this game that comes back may stand in the way.
analysis-moves-none = Choose a house on the board. Another move from an earlier position becomes a variation.
analysis-comment-move = Comment on { $house }
analysis-comment-start = Comment on the start
analysis-mark = Mark for the move
analysis-promote = Variation up
analysis-remove = Delete from here
analysis-keys = Keys: left and right go through the moves, up and down from variation to variation, Home and End to the ends.
analysis-tables-none = There are no endgame tables for these rules here yet. Small ones are built when the site first starts.
analysis-tables-above = There are { $seeds } seeds in the houses; the tables reach up to { $layers }.
analysis-tables-caption = What South ends ahead by each move, the stores included
analysis-tables-move = Move
analysis-tables-low = Least
analysis-tables-even = Even
analysis-tables-high = Most
analysis-tables-line = Best play:
analysis-tables-distance = { $plies ->
    [one] The next capture, or the end, comes in 1 ply.
   *[other] The next capture, or the end, comes in { $plies } plies.
}
analysis-tables-low-note = If endless play counts against South: South can be sure of this much.
analysis-tables-even-note = If seeds that go round without end are split evenly.
analysis-tables-high-note = If endless play counts for South: no more can be had than this.
analysis-claim-exact-ahead = Proven: { $side } ends { $seeds } ahead, whatever becomes of loops.
analysis-claim-exact-behind = Proven: { $side } ends { $seeds } behind, whatever becomes of loops.
analysis-claim-exact-draw = Proven: a draw, whatever becomes of loops.
analysis-claim-win = Proven: { $side } wins by { $seeds } or more, whatever becomes of loops.
analysis-claim-loss = Proven: { $side } loses by { $seeds } or more, whatever becomes of loops.
analysis-claim-if-even = Not proven: if loops are split evenly, { $side } ends at { $seeds }.
analysis-editor-houses = Seeds in the houses
analysis-editor-stores = Seeds in the stores
analysis-editor-mover = Who moves
analysis-editor-right = 48 seeds: this is a position.
analysis-editor-sum = { $seeds } seeds; there have to be 48.
analysis-editor-use = Analyse this
analysis-editor-fill = Fill the stores
analysis-editor-board = From the board
analysis-editor-start = Start position
analysis-editor-clear = Empty the houses
analysis-texts-share = Share
analysis-texts-share-note = The address of this page holds the whole analysis.
analysis-texts-copy-link = Copy the link
analysis-texts-in = Read
analysis-texts-in-label = A game record (OGN), moves, or a position in any notation
analysis-texts-read = Read this
analysis-texts-read-with-fault = The moves are read; the record itself is not quite right: { $fault }
analysis-texts-file = Open a file
analysis-texts-out = Write
analysis-texts-ogn = The whole game with variations and comments (OGN)
analysis-texts-moves = Moves up to here
analysis-texts-canonical = This position
analysis-texts-openspiel = This position, as OpenSpiel writes it
analysis-texts-playstrategy = This position, as PlayStrategy writes it
analysis-texts-twelve = The twelve houses alone, from the mover’s left
analysis-copy = Copy
analysis-copied = Copied
analysis-save = Save as a file
analysis-report-lead = The engine looks at every move of this line: what it was worth, what was best, and what was lost.
analysis-effort-quick = Quick
analysis-effort-normal = Normal
analysis-effort-deep = Thorough
analysis-report-begin = Look at the game
analysis-report-stop = Stop
analysis-report-progress = Move { $done } of { $of }
analysis-report-graph = How the game stood after each move, in seeds that South is ahead
analysis-report-graph-note = Above the middle South is ahead, below it North; the edge is { $most } seeds.
analysis-report-ply = Move
analysis-report-accuracy = Accuracy
analysis-report-lost = Seeds lost
analysis-report-faults = What could have been better
analysis-report-no-faults = Nothing that matters: every move was among the best.
analysis-report-move = Move { $ply }: { $house }
analysis-report-fault = { $label }, seeds lost: { $seeds }
analysis-report-best = What was best
analysis-report-show-best = Show the best line
analysis-label-best = Best
analysis-label-good = Good
analysis-label-inaccuracy = Inaccuracy
analysis-label-mistake = Mistake
analysis-label-blunder = Blunder
analysis-try = Try again
analysis-try-none = { $house } was played here. Find something better on the board.
analysis-try-asking = Let us see…
analysis-try-right = Yes, that is better.
analysis-try-wrong = Not that either. Another one?
