# Finding somebody to play with: friends, the lobby, invitations, matches, games by days.

loading = One moment…
somebody = Somebody
join = Sit down
form-time = Time
form-games = Games
form-games-count = { $count ->
    [one] One game
   *[other] Match of { $count }
}
form-rated = Rated
form-rated-needs = (for players with an account, with a clock or by days)
form-hidden = As on a wooden board: no numbers, seeds must be counted
time-own = Other…
time-minutes = Minutes each
time-seconds = Seconds a move
friend-way = How do you meet?
friend-way-link = By a link
friend-way-same-device = At this device
friend-way-player = By name
friend-about-link = You get a link. Whoever opens it first sits down opposite; everybody after that watches.
friend-about-same-device = Two people take turns at one screen. A tablet can lie between you: see “Table for two” in the settings.
friend-about-player = An account on this site is asked whether it would like to play with you.
friend-make-link = Make a link
friend-name = Name of the account
friend-name-needs = To ask somebody by name you need an account of your own.
friend-ask = Ask for a game
lobby-open = Free seats
lobby-none = Nobody is waiting at the moment. Put up a table, and whoever comes by can sit down.
lobby-people = { $count ->
    [one] One person is here.
   *[other] { $count } people are here.
}
lobby-new = Put up a table
lobby-create = Wait for somebody
lobby-mine = To my table
lobby-free = free seat: { $side }
invite-title = Invite somebody
invite-text = Send this link. Whoever opens it first sits down opposite you; the board is ready at once.
invite-link = Link to this game
invite-copy = Copy the link
invite-copied = Copied
invite-share = Share…
invited-title-somebody = You are invited to a game
invited-title = { $name } invites you to a game
you-watch = You are watching this game.
game-missing = There is no such game
game-missing-text = Perhaps the address was cut off, or the game was never begun.
match-game = Game { $game } of { $games }, score before it
match-player = Player
match-wins = Points
match-seeds = Seeds
match-next = Next game of the match
rematch = Rematch
rematch-wished = Waiting for the other’s answer
rematch-accept = Accept the rematch
rematch-go = To the rematch
days-turn = Your turn
days-waiting = Waiting for the other
days-open = Nobody opposite yet
days-invited = You are asked for a game
days-over = Finished
days-none = You have no games here. Games by days leave each player one to fourteen days for a move.
days-new = New game by days
days-ask-anybody = Wait for somebody
days-yours = your move, { $when }
days-theirs = their move, { $when }
days-against = against { $name }
list-move = move { $ply }
more = Show more
