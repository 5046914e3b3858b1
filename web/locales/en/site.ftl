# The frame around every page: names, navigation, what may go wrong anywhere.

site-name = Oware
brand-label = Oware, to the first page
skip-to-content = Skip to the content
menu = Menu
nav-label = Pages
nav-computer = Play
nav-friend = Friend
nav-lobby = Lobby
nav-correspondence = Your games
nav-puzzles = Puzzles
nav-learn = Learn
nav-analysis = Analysis
nav-settings = Settings
nav-sign-in = Sign in
nav-about = About
turns-waiting = { $count ->
    [one] One game waits for your move
   *[other] { $count } games wait for your move
}
language = Language
title-computer = Play the computer
title-friend = Play a friend
title-lobby = Lobby
title-game = Game
title-correspondence = Your games
title-puzzles = Puzzles
title-learn = Learn
title-analysis = Analysis
title-player = Player
title-settings = Settings
title-about = About
title-sign-in = Sign in
title-admin = Administration
title-missing = Nothing here
missing-text = There is no page at this address.
missing-home = Play a game instead
page-failed = This page could not be loaded. Perhaps the line is down, or the site has just been renewed.
try-again = Try again
restart-soon = { $minutes ->
    [0] The site restarts now. Games go on afterwards.
    [one] The site restarts in one minute. Games go on afterwards.
   *[other] The site restarts in { $minutes } minutes. Games go on afterwards.
}
cancel = Cancel
title-leaders = Highest ratings
