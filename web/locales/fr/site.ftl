# Le cadre de chaque page : noms, navigation, et ce qui peut échouer partout.

site-name = Oware
brand-label = Oware, vers la première page
skip-to-content = Aller au contenu
menu = Menu
nav-label = Pages
nav-computer = Jouer
nav-friend = Entre amis
nav-lobby = Salon
nav-correspondence = Vos parties
nav-puzzles = Problèmes
nav-learn = Apprendre
nav-analysis = Analyse
nav-settings = Réglages
nav-sign-in = Se connecter
nav-about = À propos
turns-waiting = { $count ->
    [one] Une partie attend votre coup
   *[other] { $count } parties attendent votre coup
}
language = Langue
title-computer = Jouer contre l’ordinateur
title-friend = Jouer entre amis
title-lobby = Salon
title-game = Partie
title-correspondence = Vos parties
title-puzzles = Problèmes
title-learn = Apprendre
title-analysis = Analyse
title-player = Joueur
title-settings = Réglages
title-about = À propos
title-sign-in = Se connecter
title-admin = Administration
title-missing = Rien ici
missing-text = Il n’y a pas de page à cette adresse.
missing-home = Faire plutôt une partie
page-failed = Cette page n’a pas pu être chargée. La connexion est peut-être coupée, ou le site vient d’être renouvelé.
try-again = Réessayer
restart-soon = { $minutes ->
    [0] Le site redémarre maintenant. Les parties reprendront ensuite.
    [one] Le site redémarre dans une minute. Les parties reprendront ensuite.
   *[other] Le site redémarre dans { $minutes } minutes. Les parties reprendront ensuite.
}
cancel = Annuler
title-leaders = Meilleurs classements
