# La table : joueurs, pendules, coups, ce qui arrive et pourquoi. Les camps sont Sud et Nord, les
# cases A à F et a à f.

side-south = Sud
side-north = Nord
seat-computer = Ordinateur, niveau { $level }
seat-open = Place libre
seat-you = Vous
seat-away = absent
seat-away-claim = absent ; la partie pourra être réclamée dans { $seconds } s
seat-away-claim-now = absent ; la partie peut être réclamée
seeds-taken = { $seeds ->
    [0] pas encore de graines
    [one] 1 graine
   *[other] { $seeds } graines
}
rating-change = { $change ->
    [0] ±0
   *[other] { NUMBER($change, signDisplay: "always") }
}
match-points = { $points ->
    [one] { $points } point dans le match
   *[other] { $points } points dans le match
}
clock-of = Pendule de { $name }
no-clock = Cette partie se joue sans pendule.
no-evaluation = Pas d’évaluation pendant une partie.
due = coup à jouer { $when }
moves = Coups
moves-none = Pas encore de coup.
moves-steps = Parcourir la partie
moves-first = Au début
moves-previous = Un coup en arrière
moves-next = Un coup en avant
moves-last = Au dernier coup
move-spoken = Coup { $number } : { $house }{ $seeds ->
    [0] {""}
   *[other] , prend { $seeds }
}
move-spoken-slam = Coup { $number } : { $house }, grand chelem{ $seeds ->
    [0] {""}
   *[other] , prend { $seeds }
}
status-waiting = En attente d’un adversaire
status-move-waits = Votre coup attend d’être envoyé
status-sent = …
status-looking-back = Après le coup { $ply }
status-computer-thinks = L’ordinateur réfléchit
status-your-turn = À vous de jouer
status-turn = Au tour de { $side }
line-reconnecting = Reconnexion…
line-move-waits = Reconnexion… votre coup est gardé et sera envoyé.
line-revoked = Cette session a été fermée ailleurs. Rechargez la page pour continuer.
notice-move-dropped = Votre coup ne peut plus être joué : la partie a changé entre-temps.
why-slam-nothing-captured = Le coup de { $side } aurait pris toutes les graines de l’autre camp. C’est un grand chelem, et selon ces règles il ne prend rien.
why-slam-kept = Le coup de { $side } aurait pris toutes les graines de l’autre camp. Selon ces règles, une case de la série reste.
why-slam-captured-all = Le coup de { $side } a pris toutes les graines de l’autre camp : un grand chelem.
why-slam-opponent-took-rest = Le coup de { $side } a pris toutes les graines de l’autre camp : un grand chelem. Selon ces règles, l’adversaire reçoit ce qui reste sur le plateau.
why-forbidden-must-feed = L’autre camp est vide : il faut le nourrir. { $houses } ne lui donnerait rien.
why-forbidden-grand-slam = { $houses } prendrait toutes les graines de l’autre camp, ce que ces règles interdisent.
why-forbidden-leaves-no-seed = { $houses } laisserait l’autre camp sans graine, ce que ces règles interdisent.
why-skip = { $house } contenait au moins douze graines : le semis a fait le tour complet en sautant la case de départ.
why-repetition = Cette position s’est présentée { $times } fois. À la { $limit }ᵉ, la partie finit en boucle.
end-title-aborted = La partie a été annulée
end-title-draw = Égalité, { $south } à { $north }
end-title-won = Vous gagnez, { $mine } à { $theirs }
    .plain = Vous gagnez
end-title-lost = Vous perdez, { $mine } à { $theirs }
    .plain = Vous perdez
end-title-south = Sud gagne, { $south } à { $north }
    .plain = Sud gagne
end-title-north = Nord gagne, { $north } à { $south }
    .plain = Nord gagne
end-majority = Vingt-cinq graines font plus de la moitié : la partie est décidée. Les graines restées sur le plateau ne sont à personne.
end-even = Chacun a vingt-quatre graines.
end-no-move = Le joueur au trait ne peut pas jouer : la partie finit et les graines du plateau sont partagées.
end-repetition = La même position est revenue trop souvent : la partie tourne en rond. Les graines du plateau sont partagées.
end-loop-agreed = Les deux joueurs conviennent que la partie tourne en rond. Les graines du plateau sont partagées.
end-capture-free-limit = Rien n’a été pris depuis trop longtemps. Les graines du plateau sont partagées.
end-grand-slam-rest = Un grand chelem a terminé la partie, et le reste des graines a été remis à l’adversaire.
end-draw-agreed = Nulle par accord mutuel.
end-resignation = Par abandon.
end-time = Le temps est écoulé.
end-abandonment = L’adversaire n’est pas revenu, et la partie a été réclamée.
end-adjudication = Décidée par l’administration.
end-aborted = Elle ne compte pas.
offer-from-them-draw = Votre adversaire propose la nulle.
offer-from-them-loop = Votre adversaire propose de finir la partie comme une boucle : chacun prend la part qui lui revient.
offer-from-them-takeback = Votre adversaire aimerait reprendre un coup.
offer-from-you-draw = Vous avez proposé la nulle.
offer-from-you-loop = Vous avez proposé de finir la partie comme une boucle.
offer-from-you-takeback = Vous avez demandé à reprendre un coup.
offer-accept = Accepter
offer-decline = Refuser
offer-withdraw = Retirer
action-takeback = Reprendre
action-hint = Conseil
action-hinting = Réflexion…
action-draw = Proposer la nulle
    .short = Nulle
action-loop = Proposer la boucle
    .short = Boucle
action-resign = Abandonner
action-abort = Annuler
action-claim = Réclamer la partie
action-sound = Son
action-flip = Tourner le plateau
resign-sure = Abandonner cette partie ?
resign-sure-side = { $side } abandonne-t-il ?
talk = À la table
log-said = { $name } : { $text }
log-joined = { $who ->
    [you] Vous vous asseyez : { $side }.
   *[other] { $name } s’assoit : { $side }.
}
log-joined-somebody = Quelqu’un s’assoit : { $side }.
log-offered-draw = { $who ->
    [you] Vous proposez la nulle.
   *[other] { $name } propose la nulle.
}
log-offered-loop = { $who ->
    [you] Vous proposez de finir en boucle.
   *[other] { $name } propose de finir en boucle.
}
log-offered-takeback = { $who ->
    [you] Vous aimeriez reprendre un coup.
   *[other] { $name } aimerait reprendre un coup.
}
log-declined-draw = Pas de nulle.
log-declined-loop = Pas de boucle.
log-declined-takeback = Le coup reste joué.
log-taken-back = { $plies ->
    [one] Un coup a été repris.
   *[other] { $plies } coups ont été repris.
}
log-clock-shifted = Le site a été absent { $away } s. Ce temps ne compte pour personne, et chacun reçoit { $gift } s de plus.
log-rematch = { $who ->
    [you] Vous aimeriez une revanche.
   *[other] { $name } aimerait une revanche.
}
phrase-hello = Bonjour !
phrase-good_luck = Bonne chance !
phrase-have_fun = Amusez-vous bien !
phrase-well_played = Bien joué !
phrase-nice_move = Joli coup !
phrase-thanks = Merci !
phrase-sorry = Désolé !
phrase-oops = Oups !
phrase-one_moment = Un instant, s’il vous plaît.
phrase-goodbye = Au revoir !
time-unlimited = sans pendule
time-clock = { $minutes } min + { $seconds } s
time-days = { $days ->
    [one] { $days } jour par coup
   *[other] { $days } jours par coup
}
rated = classée
casual = amicale
counts-hidden = graines non comptées
watchers = { $count ->
    [one] { $count } spectateur
   *[other] { $count } spectateurs
}
lag = ligne { $ms } ms
rules-abapa = Abapa
rules-abapa-first-repetition = Abapa, fin à la première répétition
rules-slam-illegal = Grand chelem interdit
rules-slam-opponent-takes-rest = Le grand chelem cède le reste
rules-slam-keep-last = Le grand chelem laisse la dernière case
rules-slam-keep-first = Le grand chelem laisse la première case
rules-slam-captures = Le grand chelem prend tout
rules-awari = Awari
fault-bad-field = Quelque chose dans le formulaire n’est pas comme attendu.
fault-bad-json = Le site n’a pas compris la demande.
fault-not-found = Il n’y a rien de tel ici.
fault-not-yours = Ceci n’est pas à vous.
fault-not-your-turn = Ce n’est pas à vous de jouer.
fault-illegal-move = Ce coup n’est pas permis ici.
fault-stale = Trop tard : la partie a continué.
fault-game-over = La partie est finie.
fault-no-offer = Cette proposition n’existe plus.
fault-too-many = C’est beaucoup à la fois. Patientez un instant.
fault-not-signed-in = Connectez-vous d’abord.
fault-forbidden = Ce n’est pas permis.
fault-taken = C’est déjà pris.
fault-wrong-password = Le nom ou le mot de passe est faux.
fault-wrong-method = Le site n’a pas compris la demande.
fault-field-name = Le nom : de 3 à 20 lettres, chiffres, - et _, en commençant par une lettre ; certains sont réservés au site.
fault-field-password = Le mot de passe : au moins 8 caractères, autre chose que le nom, et pas un seul caractère répété.
fault-field-new = Le nouveau mot de passe : au moins 8 caractères, autre chose que le nom, et pas un seul caractère répété.
fault-field-opponent-name = Aucun membre ne porte ce nom, ou c’est le vôtre.
fault-field-rated = Une partie classée demande deux comptes, un temps compté et la position de départ habituelle.
fault-too-large = C’est trop grand.
fault-busy = Le site est occupé. Réessayez dans un instant.
fault-restarting = Le site redémarre. Réessayez dans un instant.
fault-internal = Le site a échoué. Rien n’a été changé.
fault-unreached = Le site ne répond pas. La connexion est-elle ouverte ?
fault-other = Cela n’a pas marché : { $message }
new-game = Nouvelle partie
new-game-start = Commencer la partie
setup-level = Niveau { $level }
setup-level-hint-1 = Vient d’apprendre à semer.
setup-level-hint-2 = Voit une prise de temps en temps.
setup-level-hint-3 = Prend ce qu’il voit.
setup-level-hint-4 = Pense souvent à votre réponse.
setup-level-hint-5 = Un débutant régulier.
setup-level-hint-6 = Joue avec un plan.
setup-level-hint-7 = Fait peu de cadeaux.
setup-level-hint-8 = Un bon joueur de club.
setup-level-hint-9 = Fort.
setup-level-hint-10 = Très fort.
setup-level-hint-11 = Rarement battu.
setup-level-hint-12 = Aussi fort que possible.
setup-rules = Règles
setup-rules-more = Ce que disent ces règles
setup-seat = Vous jouez
setup-seat-south = En premier
setup-seat-north = En second
setup-seat-random = Au sort
setup-ready = Le plateau est prêt : choisissez une case de la rangée du bas.
play-again = Rejouer
play-again-swapped = Changer de camp
play-analyse = Revoir la partie
hint-text = Le moteur jouerait { $house }.
