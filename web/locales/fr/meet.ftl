# Trouver quelqu’un avec qui jouer : amis, salon, invitations, matchs, parties par jours.

loading = Un instant…
somebody = Quelqu’un
join = S’asseoir
form-time = Temps
form-games = Parties
form-games-count = { $count ->
    [one] Une partie
   *[other] Match en { $count } parties
}
form-rated = Classée
form-rated-needs = (pour les joueurs inscrits, avec pendule ou par jours)
form-hidden = Comme sur un plateau de bois : pas de nombres, il faut compter les graines
time-own = Autre…
time-minutes = Minutes par joueur
time-seconds = Secondes par coup
friend-way = Comment vous retrouvez-vous ?
friend-way-link = Par un lien
friend-way-same-device = Sur cet appareil
friend-way-player = Par son nom
friend-about-link = Vous recevez un lien. La première personne qui l’ouvre s’assoit en face de vous ; les suivantes regardent.
friend-about-same-device = Deux personnes jouent tour à tour sur un écran. Une tablette peut se poser entre vous : voyez « Table à deux » dans les réglages.
friend-about-player = On demande à un membre du site s’il veut jouer avec vous.
friend-make-link = Créer un lien
friend-name = Nom du membre
friend-name-needs = Pour inviter quelqu’un par son nom, il vous faut un compte.
friend-ask = Proposer une partie
lobby-open = Places libres
lobby-none = Personne n’attend en ce moment. Dressez une table : qui passe pourra s’asseoir.
lobby-people = { $count ->
    [one] { $count } personne est ici.
   *[other] { $count } personnes sont ici.
}
lobby-new = Dresser une table
lobby-create = Attendre quelqu’un
lobby-mine = À ma table
lobby-free = place libre : { $side }
invite-title = Invitez quelqu’un
invite-text = Envoyez ce lien. La première personne qui l’ouvre s’assoit en face de vous ; le plateau est prêt.
invite-link = Lien vers cette partie
invite-copy = Copier le lien
invite-copied = Copié
invite-share = Partager…
invited-title-somebody = Vous êtes invité à une partie
invited-title = { $name } vous invite à une partie
you-watch = Vous regardez cette partie.
game-missing = Cette partie n’existe pas
game-missing-text = L’adresse est peut-être coupée, ou la partie n’a jamais commencé.
match-game = Partie { $game } sur { $games }, score avant elle
match-player = Joueur
match-wins = Points
match-seeds = Graines
match-next = Partie suivante du match
rematch = Revanche
rematch-wished = En attente de la réponse
rematch-accept = Accepter la revanche
rematch-go = Vers la revanche
days-turn = À vous de jouer
days-waiting = En attente de l’adversaire
days-open = Encore personne en face
days-invited = On vous propose une partie
days-over = Terminées
days-none = Vous n’avez pas de partie ici. Les parties par jours laissent à chacun d’un à quatorze jours par coup.
days-new = Nouvelle partie par jours
days-ask-anybody = Attendre quelqu’un
days-yours = à vous, { $when }
days-theirs = à l’adversaire, { $when }
days-against = contre { $name }
list-move = coup { $ply }
more = En voir plus
