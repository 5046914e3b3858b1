# Analyse. Chaque valeur dit d’où on la tient et pour qui elle compte : au-dessus de zéro pour Sud.

analysis-tabs = Que regarder
analysis-tab-moves = Coups
analysis-tab-tables = Tables
analysis-tab-report = Bilan
analysis-tab-texts = Partager
analysis-tab-editor = Position
analysis-engine = Moteur
analysis-bar = Sud devrait finir à { $seeds } graines
analysis-bar-unknown = On ne sait encore rien de cette position
analysis-thinking = { $depth ->
    [0] Recherche…
    [one] Recherche… { $depth } demi-coup, { $nodes } positions
   *[other] Recherche… { $depth } demi-coups, { $nodes } positions
}
analysis-thought = { $depth ->
    [0] { $nodes } positions
    [one] { $depth } demi-coup, { $nodes } positions
   *[other] { $depth } demi-coups, { $nodes } positions
}
analysis-lines = Lignes
analysis-values-note = L’avance de Sud en graines, si les deux jouent jusqu’à la dernière graine. Son signe est aussi le résultat.
analysis-known-ending = finit la partie
analysis-known-exact = tables : exact
analysis-known-if_even = tables : si les boucles sont partagées également
analysis-known-complete = cherché jusqu’au bout
analysis-known-complete_if_even = cherché jusqu’aux tables : si les boucles sont partagées également
analysis-known-search = { $depth ->
    [one] recherche, { $depth } demi-coup
   *[other] recherche, { $depth } demi-coups
}
analysis-past = Le retour d’une position antérieure de cette partie peut y faire obstacle.
analysis-moves-none = Choisissez une case sur le plateau. Un autre coup depuis une position antérieure devient une variante.
analysis-comment-move = Commentaire sur { $house }
analysis-comment-start = Commentaire sur le début
analysis-mark = Signe pour le coup
analysis-promote = Monter la variante
analysis-remove = Supprimer à partir d’ici
analysis-keys = Touches : gauche et droite parcourent les coups, haut et bas les variantes, Début et Fin mènent aux extrémités.
analysis-tables-none = Il n’y a pas encore ici de tables de finales pour ces règles. De petites tables sont construites au premier démarrage du site.
analysis-tables-above = Il y a { $seeds } graines dans les cases ; les tables vont jusqu’à { $layers }.
analysis-tables-caption = L’avance finale de Sud après chaque coup, greniers compris
analysis-tables-move = Coup
analysis-tables-low = Au moins
analysis-tables-even = Égal
analysis-tables-high = Au plus
analysis-tables-line = Meilleur jeu :
analysis-tables-distance = { $plies ->
    [one] La prochaine prise, ou la fin, vient dans { $plies } demi-coup.
   *[other] La prochaine prise, ou la fin, vient dans { $plies } demi-coups.
}
analysis-tables-low-note = Si un jeu sans fin compte contre Sud : voilà ce que Sud peut s’assurer.
analysis-tables-even-note = Si les graines qui tournent sans fin sont partagées également.
analysis-tables-high-note = Si un jeu sans fin compte pour Sud : on ne peut obtenir davantage.
analysis-claim-exact-ahead = Démontré : { $side } finit avec { $seeds } d’avance, quoi qu’il advienne des boucles.
analysis-claim-exact-behind = Démontré : { $side } finit avec { $seeds } de retard, quoi qu’il advienne des boucles.
analysis-claim-exact-draw = Démontré : égalité, quoi qu’il advienne des boucles.
analysis-claim-win = Démontré : { $side } gagne d’au moins { $seeds }, quoi qu’il advienne des boucles.
analysis-claim-loss = Démontré : { $side } perd d’au moins { $seeds }, quoi qu’il advienne des boucles.
analysis-claim-if-even = Non démontré : si les boucles sont partagées également, { $side } finit à { $seeds }.
analysis-editor-houses = Graines dans les cases
analysis-editor-stores = Graines dans les greniers
analysis-editor-mover = Qui joue
analysis-editor-right = 48 graines : c’est une position.
analysis-editor-sum = { $seeds } graines ; il en faut 48.
analysis-editor-use = Analyser cette position
analysis-editor-fill = Remplir les greniers
analysis-editor-board = Reprendre le plateau
analysis-editor-start = Position de départ
analysis-editor-clear = Vider les cases
analysis-texts-share = Partager
analysis-texts-share-note = L’adresse de cette page contient toute l’analyse.
analysis-texts-copy-link = Copier le lien
analysis-texts-in = Lire
analysis-texts-in-label = Une partie (OGN), des coups, ou une position dans n’importe quelle notation
analysis-texts-read = Lire ce texte
analysis-texts-read-with-fault = Les coups sont lus ; la notation elle-même n’est pas tout à fait correcte : { $fault }
analysis-texts-file = Ouvrir un fichier
analysis-texts-out = Écrire
analysis-texts-ogn = Toute la partie avec variantes et commentaires (OGN)
analysis-texts-moves = Les coups jusqu’ici
analysis-texts-canonical = Cette position
analysis-texts-openspiel = Cette position, à la façon d’OpenSpiel
analysis-texts-playstrategy = Cette position, à la façon de PlayStrategy
analysis-texts-twelve = Les douze cases seules, depuis la gauche du joueur au trait
analysis-copy = Copier
analysis-copied = Copié
analysis-save = Enregistrer dans un fichier
analysis-report-lead = Le moteur examine chaque coup de cette ligne : ce qu’il valait, ce qui était le mieux, ce qui a été perdu.
analysis-effort-quick = Rapide
analysis-effort-normal = Normal
analysis-effort-deep = Approfondi
analysis-report-begin = Examiner la partie
analysis-report-stop = Arrêter
analysis-report-progress = Coup { $done } sur { $of }
analysis-report-graph = L’état de la partie après chaque coup, en graines d’avance pour Sud
analysis-report-graph-note = Au-dessus du milieu Sud mène, au-dessous Nord ; le bord est à { $most } graines.
analysis-report-ply = Coup
analysis-report-accuracy = Précision
analysis-report-lost = Graines perdues
analysis-report-faults = Ce qui aurait pu être mieux
analysis-report-no-faults = Rien d’important : chaque coup était parmi les meilleurs.
analysis-report-move = Coup { $ply } : { $house }
analysis-report-fault = { $label } ; graines perdues : { $seeds }
analysis-report-best = Ce qui était le mieux
analysis-report-show-best = Montrer la meilleure ligne
analysis-label-best = Le meilleur
analysis-label-good = Bon
analysis-label-inaccuracy = Imprécision
analysis-label-mistake = Erreur
analysis-label-blunder = Gaffe
analysis-try = Réessayer
analysis-try-none = { $house } a été joué ici. Trouvez mieux sur le plateau.
analysis-try-asking = Voyons…
analysis-try-right = Oui, c’est mieux.
analysis-try-wrong = Ce n’est pas cela non plus. Un autre coup ?
