# Ce que le plateau dit de lui-même, surtout aux lecteurs d’écran. $owner vaut mine, theirs, south, north.

board-name = Plateau d’awalé
board-separator = ""
    .text = ,{" "}
    .end = .
board-row = { $owner ->
    [mine] votre rangée
    [theirs] rangée adverse
    [south] rangée de Sud
   *[north] rangée de Nord
}
board-place = { $owner ->
    [mine] votre case { $number }
    [theirs] la case { $number } adverse
    [south] la case { $number } de Sud
   *[north] la case { $number } de Nord
}
board-house = { $owner ->
    [mine] votre case { $number }
    [theirs] case { $number } adverse
    [south] case { $number } de Sud
   *[north] case { $number } de Nord
}, { $seeds ->
    [0] vide
    [one] 1 graine
   *[other] { $seeds } graines
}
board-chosen = choisie
board-can-play = jouable
board-lands = finit dans { $place }
board-takes = prend { $seeds }
board-slam-nothing_captured = elle prendrait tout, donc rien n’est pris
board-slam-opponent_took_rest = elle prend tout, donc le reste va à l’adversaire
board-slam-kept = elle prendrait tout, donc une case est laissée
board-slam-captured_all = elle prend tout
board-reason-empty = vide
board-reason-must_feed = pas maintenant : l’adversaire n’a plus de graines et ce coup ne le nourrit pas
board-reason-grand_slam = interdit : le coup prendrait toutes les graines adverses
board-reason-leaves_no_seed = interdit : le coup ne laisserait aucune graine à l’adversaire
board-mark-hint = conseillée
board-mark-good = bon coup
board-mark-bad = erreur
board-mark-look = à regarder
board-mark-arrow = une flèche part d’ici
board-moved = { $owner ->
    [mine] vous avez joué
    [theirs] l’adversaire a joué
    [south] Sud a joué
   *[north] Nord a joué
} la case { $number }, { $seeds ->
    [one] 1 graine
   *[other] { $seeds } graines
}
board-ended-in = fin dans { $place }
board-took = prise de { $seeds }
board-score = { $owner ->
    [mine] vous
    [theirs] adversaire
    [south] Sud
   *[north] Nord
} { $seeds }
board-over = la partie est finie
board-row-seeds = { $owner ->
    [mine] votre rangée
    [theirs] rangée adverse
    [south] rangée de Sud
   *[north] rangée de Nord
} : { $seeds }
board-no-move = Aucun coup n’a encore été joué.
confirm-none = Choisissez une case
confirm-move = Jouer { $house }
