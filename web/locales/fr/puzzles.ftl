# Problèmes de fin de partie. Sud résout ; cases A à F et a à f.

puzzles-lead = En fin de partie, un seul coup est bon et tous les autres sont mauvais : chaque problème est démontré à partir de tables de finales complètes, quoi qu’il advienne des boucles. Vous êtes Sud, dans le camp du bas.
puzzles-difficulty = Difficulté
puzzles-any = Tous
puzzles-difficulty-1 = Très facile
puzzles-difficulty-2 = Facile
puzzles-difficulty-3 = Moyen
puzzles-difficulty-4 = Difficile
puzzles-difficulty-5 = Très difficile
puzzles-theme = Thème
puzzles-theme-capture = Prise
puzzles-theme-quiet = Coup tranquille
puzzles-theme-temptation = Tentation
puzzles-theme-sacrifice = Sacrifice
puzzles-theme-feed = Nourrir
puzzles-theme-starve = Affamer
puzzles-theme-grand_slam = Grand chelem
puzzles-theme-escape = Fuite
puzzles-theme-long = Long
puzzles-only-open = Seulement ceux que je n’ai pas résolus
puzzles-shown = { $count ->
    [one] { $count } problème.
   *[other] { $count } problèmes.
}
puzzles-solved = Résolus : { $done } sur { $all }.
puzzles-streak = À la suite, du premier coup : { $streak } ; record : { $best }.
puzzles-begin = Résoudre le suivant
puzzles-none = Il n’y a pas de tel problème. Choisissez une autre difficulté ou un autre thème.
puzzles-goal-short-win = gagner
puzzles-goal-short-draw = annuler
puzzles-solved-first = résolu du premier coup
puzzles-solved-later = résolu ensuite
puzzles-number = Problème { $number }
puzzles-goal-win = Sud joue et gagne.
puzzles-goal-draw = Sud joue et sauve l’égalité.
puzzles-moves = { $count ->
    [one] un coup à trouver
   *[other] { $count } coups à trouver
}
puzzles-row = { $streak } à la suite
puzzles-your-move = Quelle case ?
puzzles-right-go-on = C’est juste. Continuez : là encore, un seul coup convient.
puzzles-right-solved = Résolu. Aucun autre chemin ne mène au but.
puzzles-wrong-draw = { $house } ne suffit pas : au mieux, c’est l’égalité.
puzzles-wrong-loss = { $house } perd : au mieux, Nord finit avec { $seeds } graines d’avance.
puzzles-refutation = La suite serait :
puzzles-told = Voilà la solution.
puzzles-about = De quoi il s’agissait :
puzzles-and = ,{" "}
puzzles-show-refutation = Montrer pourquoi
puzzles-show-solution = Montrer la solution
puzzles-next = Problème suivant
puzzles-analyse = L’examiner
puzzles-all = Tous les problèmes
