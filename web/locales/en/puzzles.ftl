# Endgame puzzles. South solves; houses A to F and a to f.

puzzles-lead = Late in a game, one move is right and every other one is wrong: each puzzle has been proven from complete endgame tables, whatever becomes of loops. You are South, in the lower row.
puzzles-difficulty = Difficulty
puzzles-any = All
puzzles-difficulty-1 = Very easy
puzzles-difficulty-2 = Easy
puzzles-difficulty-3 = Medium
puzzles-difficulty-4 = Hard
puzzles-difficulty-5 = Very hard
puzzles-theme = Theme
puzzles-theme-capture = Capture
puzzles-theme-quiet = Quiet move
puzzles-theme-temptation = Temptation
puzzles-theme-sacrifice = Sacrifice
puzzles-theme-feed = Feeding
puzzles-theme-starve = Starving out
puzzles-theme-grand_slam = Grand slam
puzzles-theme-escape = Escape
puzzles-theme-long = Long
puzzles-only-open = Only those I have not solved
puzzles-shown = { $count ->
    [one] 1 puzzle.
   *[other] { $count } puzzles.
}
puzzles-solved = Solved: { $done } of { $all }.
puzzles-streak = In a row at the first try: { $streak }, at best { $best }.
puzzles-begin = Solve the next one
puzzles-none = There are no puzzles like that. Choose another difficulty or theme.
puzzles-goal-short-win = win
puzzles-goal-short-draw = draw
puzzles-solved-first = solved at the first try
puzzles-solved-later = solved later
puzzles-number = Puzzle { $number }
puzzles-goal-win = South to move and win.
puzzles-goal-draw = South to move and save the draw.
puzzles-moves = { $count ->
    [one] one move to find
   *[other] { $count } moves to find
}
puzzles-row = { $streak } in a row
puzzles-your-move = Which house?
puzzles-right-go-on = Right. Go on: the next move is not free either.
puzzles-right-solved = Solved. No other way reaches the goal.
puzzles-wrong-draw = { $house } is not enough: with best play it is only a draw.
puzzles-wrong-loss = { $house } loses: with best play North ends { $seeds } seeds ahead.
puzzles-refutation = It goes on like this:
puzzles-told = That was the solution.
puzzles-about = What it is about:
puzzles-and = ,{" "}
puzzles-show-refutation = Show why
puzzles-show-solution = Show the solution
puzzles-next = Next puzzle
puzzles-analyse = Look into it
puzzles-all = All puzzles
