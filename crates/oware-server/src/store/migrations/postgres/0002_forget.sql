-- What is looked through to forget sessions and players that nobody uses.
CREATE INDEX games_of_creator ON games (creator);
CREATE INDEX sessions_seen ON sessions (seen_at);
CREATE INDEX players_without_account ON players (created_at) WHERE name IS NULL;
