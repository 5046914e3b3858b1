-- Texts compare by their bytes, as in SQLite and in the program, whatever the server's language.
-- Times are milliseconds since 1970; yes and no are 1 and 0.

CREATE TABLE players (
    id TEXT COLLATE "C" PRIMARY KEY,
    -- The account; all three together or none.
    name TEXT COLLATE "C",
    name_key TEXT COLLATE "C" UNIQUE,
    password TEXT COLLATE "C",
    admin BIGINT NOT NULL DEFAULT 0 CHECK (admin IN (0, 1)),
    banned BIGINT NOT NULL DEFAULT 0 CHECK (banned IN (0, 1)),
    language TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    CHECK ((name IS NULL) = (name_key IS NULL) AND (name IS NULL) = (password IS NULL))
);

CREATE TABLE sessions (
    id TEXT COLLATE "C" PRIMARY KEY,
    secret_hash TEXT COLLATE "C" NOT NULL UNIQUE,
    player TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    agent TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);
CREATE INDEX sessions_of ON sessions (player, created_at);

CREATE TABLE games (
    id TEXT COLLATE "C" PRIMARY KEY,
    seq BIGINT NOT NULL CHECK (seq >= 0),
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'playing', 'over')),
    rules TEXT COLLATE "C" NOT NULL,
    start_position TEXT COLLATE "C",
    time_control TEXT COLLATE "C" NOT NULL,
    rated BIGINT NOT NULL CHECK (rated IN (0, 1)),
    counts TEXT COLLATE "C" NOT NULL,
    -- A seat has a player, or a computer's level and seed, or neither: then it is open.
    south_player TEXT COLLATE "C" REFERENCES players (id),
    south_level BIGINT,
    south_seed BIGINT,
    north_player TEXT COLLATE "C" REFERENCES players (id),
    north_level BIGINT,
    north_seed BIGINT,
    creator TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    door TEXT COLLATE "C" NOT NULL CHECK (door IN ('lobby', 'link', 'player', 'closed')),
    door_player TEXT COLLATE "C" REFERENCES players (id),
    match_id TEXT COLLATE "C",
    match_number BIGINT,
    match_games BIGINT,
    plies BIGINT NOT NULL,
    position_now TEXT COLLATE "C" NOT NULL,
    to_move TEXT COLLATE "C" NOT NULL CHECK (to_move IN ('south', 'north')),
    due_at BIGINT,
    ending TEXT COLLATE "C",
    south_score DOUBLE PRECISION,
    north_score DOUBLE PRECISION,
    winner TEXT COLLATE "C" CHECK (winner IN ('south', 'north')),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CHECK (south_player IS NULL OR south_level IS NULL),
    CHECK (north_player IS NULL OR north_level IS NULL),
    CHECK ((south_level IS NULL) = (south_seed IS NULL)),
    CHECK ((north_level IS NULL) = (north_seed IS NULL)),
    CHECK ((door = 'player') = (door_player IS NOT NULL)),
    CHECK ((match_id IS NULL) = (match_number IS NULL)),
    CHECK ((match_id IS NULL) = (match_games IS NULL)),
    CHECK ((status = 'over') = (ending IS NOT NULL)),
    CHECK ((ending IS NULL) = (south_score IS NULL) AND (ending IS NULL) = (north_score IS NULL))
);
CREATE INDEX games_newest ON games (updated_at, id);
CREATE INDEX games_of_south ON games (south_player, updated_at, id);
CREATE INDEX games_of_north ON games (north_player, updated_at, id);
CREATE INDEX games_offered ON games (door_player) WHERE door_player IS NOT NULL;
CREATE INDEX games_unfinished ON games (updated_at, id) WHERE status <> 'over';
CREATE UNIQUE INDEX games_of_match ON games (match_id, match_number);

CREATE TABLE events (
    game TEXT COLLATE "C" NOT NULL REFERENCES games (id),
    seq BIGINT NOT NULL CHECK (seq >= 1),
    at BIGINT NOT NULL,
    ply BIGINT,
    retracted BIGINT NOT NULL DEFAULT 0 CHECK (retracted IN (0, 1)),
    player TEXT COLLATE "C",
    action TEXT COLLATE "C",
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (game, seq),
    CHECK ((player IS NULL) = (action IS NULL))
);
-- No ply is played twice, whatever a client, the line or the server does.
CREATE UNIQUE INDEX events_ply ON events (game, ply) WHERE ply IS NOT NULL AND retracted = 0;
-- No action is done twice.
CREATE UNIQUE INDEX events_action ON events (game, player, action) WHERE action IS NOT NULL;

CREATE TABLE ratings (
    player TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    pace TEXT COLLATE "C" NOT NULL CHECK (pace IN ('blitz', 'rapid', 'slow', 'correspondence')),
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    rated_at BIGINT NOT NULL,
    PRIMARY KEY (player, pace)
);
CREATE INDEX ratings_highest ON ratings (pace, rating);

CREATE TABLE rating_changes (
    game TEXT COLLATE "C" NOT NULL REFERENCES games (id),
    -- 0 South, 1 North.
    side BIGINT NOT NULL CHECK (side IN (0, 1)),
    player TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    pace TEXT COLLATE "C" NOT NULL,
    before DOUBLE PRECISION NOT NULL,
    after DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (game, side)
);
CREATE INDEX rating_changes_of ON rating_changes (player, at);

CREATE TABLE relations (
    of_player TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    to_player TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    relation TEXT COLLATE "C" NOT NULL CHECK (relation IN ('blocks', 'mutes')),
    PRIMARY KEY (of_player, to_player, relation)
);
CREATE INDEX relations_to ON relations (to_player);

CREATE TABLE reports (
    id TEXT COLLATE "C" PRIMARY KEY,
    by_player TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    about TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    game TEXT COLLATE "C" REFERENCES games (id),
    reason TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    closed BIGINT NOT NULL DEFAULT 0 CHECK (closed IN (0, 1))
);
CREATE INDEX reports_open ON reports (at) WHERE closed = 0;
CREATE INDEX reports_by ON reports (by_player);
CREATE INDEX reports_about ON reports (about);

-- What belongs to the server itself: announcement, heartbeat, first administrator's token.
CREATE TABLE server_values (
    key TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);
