-- What both databases have. Ids are UUIDs, hashes and secrets 32 bytes, times milliseconds since the Unix epoch. What is
-- JSON is kept as the text that was written, byte for byte. SQLite keeps each value as it is given, whatever its column
-- is called: these are PostgreSQL's types.

CREATE INDEX matches_listed ON matches (state, id) WHERE listed;
CREATE INDEX matches_listed_game ON matches (state, game, id) WHERE listed;
CREATE INDEX matches_seat1 ON matches (seat1, id);
CREATE INDEX matches_seat2 ON matches (seat2, id);
CREATE INDEX matches_pair ON matches (seat1, seat2, id) WHERE state <> 'open';
CREATE INDEX matches_made_by ON matches (made_by, id) WHERE made_by IS NOT NULL;
-- With the other seat, so that SQLite prefers them to the indexes of all matches of a seat.
CREATE INDEX matches_seat1_unfinished ON matches (seat1, id, state, seat2) WHERE state <> 'finished';
CREATE INDEX matches_seat2_unfinished ON matches (seat2, id, state, seat1) WHERE state <> 'finished';
CREATE INDEX matches_made_by_unfinished ON matches (made_by, state) WHERE made_by IS NOT NULL AND state <> 'finished';
CREATE INDEX matches_counted ON matches (counted, id) WHERE state = 'finished';

-- s[1024] of the dice. Nothing else may ever be selected together with it. Without a secret it is an id that no match
-- may get any more: its creation was in doubt.
CREATE TABLE secrets (
    match  uuid NOT NULL PRIMARY KEY,
    secret bytea
);

CREATE TABLE invitations (
    match      uuid   NOT NULL PRIMARY KEY REFERENCES matches (id),
    hash       bytea  NOT NULL UNIQUE,
    expires_at bigint NOT NULL
);
CREATE INDEX invitations_expires_at ON invitations (expires_at);

-- Idempotency keys, and what they were used for: the event `first` of a match or of a tournament.
CREATE TABLE used_keys (
    guest  uuid   NOT NULL,
    key    text   NOT NULL,
    digest bytea  NOT NULL,
    match  uuid   NOT NULL,
    first  bigint NOT NULL,
    at     bigint NOT NULL,
    PRIMARY KEY (guest, key)
);
CREATE INDEX used_keys_at ON used_keys (at);
CREATE INDEX used_keys_match ON used_keys (match);

-- The analysis of a match that is over; `engine` names its version.
CREATE TABLE analyses (
    match  uuid NOT NULL PRIMARY KEY REFERENCES matches (id),
    engine text NOT NULL,
    body   text NOT NULL
);

CREATE TABLE guests (
    id         uuid   NOT NULL PRIMARY KEY,
    name       text   NOT NULL,
    kind       text   NOT NULL CHECK (kind IN ('person', 'bot', 'computer')),
    created_at bigint NOT NULL,
    blocked_at bigint
);
CREATE INDEX guests_name ON guests (name);

-- A token is a session. Its id is no secret.
CREATE TABLE tokens (
    hash       bytea  NOT NULL PRIMARY KEY,
    id         uuid   NOT NULL UNIQUE,
    guest      uuid   NOT NULL REFERENCES guests (id),
    created_at bigint NOT NULL,
    origin     text   NOT NULL CHECK (origin IN ('guest', 'device_code', 'password', 'recovery_code', 'passkey')),
    device     text,
    seen_at    bigint NOT NULL
);
CREATE INDEX tokens_guest ON tokens (guest, created_at, hash);

CREATE TABLE device_codes (
    guest      uuid   NOT NULL PRIMARY KEY REFERENCES guests (id),
    hash       bytea  NOT NULL UNIQUE,
    expires_at bigint NOT NULL
);
CREATE INDEX device_codes_expires_at ON device_codes (expires_at);

-- The id of all nodes on this database together, the history that the journals tell, and the era. Each append locks it
-- against a change.
CREATE TABLE cluster (
    one     boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one),
    id      uuid    NOT NULL,
    history uuid    NOT NULL,
    era     bigint  NOT NULL
);

-- When any node was last noted: changed every second, and by one at a time.
CREATE TABLE pulse (
    one boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one),
    at  bigint
);
INSERT INTO pulse (at) VALUES (NULL);

-- The nodes that have joined and not left; `seen_at` tells which of them run, `migration` the last one that a node's
-- program knows, `bus` whether messages reach it from the others: NULL if it has no NATS.
CREATE TABLE nodes (
    id        uuid   NOT NULL PRIMARY KEY,
    name      text   NOT NULL UNIQUE,
    release   text   NOT NULL,
    migration bigint NOT NULL,
    since     bigint NOT NULL,
    seen_at   bigint NOT NULL,
    bus       boolean
);

-- Which node does what event `seq` of a match asks of the server.
CREATE TABLE leases (
    match uuid   NOT NULL PRIMARY KEY,
    seq   bigint NOT NULL,
    node  uuid   NOT NULL,
    until bigint NOT NULL
);

CREATE TABLE outages (
    began_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    PRIMARY KEY (ended_at, began_at)
);

-- Which migrations were applied, by which release, and the oldest one that a program must know to use the database after
-- it: a program that knows fewer is refused. Each migration adds its row.
CREATE TABLE releases (
    migration bigint NOT NULL PRIMARY KEY,
    needs     bigint NOT NULL,
    release   text   NOT NULL
);
INSERT INTO releases (migration, needs, release) VALUES (1, 1, '0.1.0');

-- The files of the page of the releases that ran lately, so that every node has those of its neighbours. All of a page
-- have one hash.
CREATE TABLE pages (
    hash    text   NOT NULL PRIMARY KEY,
    used_at bigint NOT NULL
);
CREATE TABLE page_files (
    page    text  NOT NULL REFERENCES pages (hash) ON DELETE CASCADE,
    name    text  NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (page, name)
);

-- A guest with an account can sign in anywhere. Handles that look alike have the same skeleton, so no two accounts do.
-- The password is an Argon2id hash in PHC format; NULL where only passkeys sign in.
CREATE TABLE accounts (
    guest      uuid   NOT NULL PRIMARY KEY REFERENCES guests (id) ON DELETE CASCADE,
    handle     text   NOT NULL,
    skeleton   text   NOT NULL UNIQUE,
    password   text,
    created_at bigint NOT NULL
);

-- Each is spent once.
CREATE TABLE recovery_codes (
    hash  bytea NOT NULL PRIMARY KEY,
    guest uuid  NOT NULL REFERENCES accounts (guest) ON DELETE CASCADE
);
CREATE INDEX recovery_codes_guest ON recovery_codes (guest);

-- Offers to play anyone on some terms. `terms` are JSON. Correspondence seeks wait for two weeks, live ones as long as
-- their guest listens. An answered seek has its match.
CREATE TABLE seeks (
    id         uuid   NOT NULL PRIMARY KEY,
    guest      uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    terms      text   NOT NULL,
    pace       text   NOT NULL CHECK (pace IN ('live', 'days')),
    seed_hash  bytea,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    match      uuid
);
CREATE INDEX seeks_guest ON seeks (guest);
CREATE INDEX seeks_waiting ON seeks (created_at, id) WHERE match IS NULL;
CREATE INDEX seeks_expiry ON seeks (expires_at);

-- Players whom a guest does not want to meet.
CREATE TABLE blocks (
    guest      uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    blocked    uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    PRIMARY KEY (guest, blocked)
);
CREATE INDEX blocks_blocked ON blocks (blocked);

-- Who may open an account: one row, or none if everyone may.
CREATE TABLE sign_ups (
    id     bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    policy text   NOT NULL CHECK (policy IN ('open', 'invite_only', 'closed'))
);

-- Codes that open an account where it takes one. Each is spent once.
CREATE TABLE sign_up_codes (
    hash       bytea  NOT NULL PRIMARY KEY,
    expires_at bigint NOT NULL
);

-- Tokens of accounts for programs. `scopes` are names with spaces between them; `used_at` is when it was last used, to
-- the hour.
CREATE TABLE api_tokens (
    hash       bytea  NOT NULL PRIMARY KEY,
    id         uuid   NOT NULL UNIQUE,
    guest      uuid   NOT NULL REFERENCES accounts (guest) ON DELETE CASCADE,
    name       text   NOT NULL,
    scopes     text   NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at    bigint
);
CREATE INDEX api_tokens_guest ON api_tokens (guest);
CREATE INDEX api_tokens_expires_at ON api_tokens (expires_at);

-- Offers to play one guest on some terms. `id` becomes the id of the match. `terms` are JSON. Correspondence challenges
-- wait for two weeks, live ones as long as the challenger listens. Those that have ended are kept for an hour.
CREATE TABLE challenges (
    id         uuid   NOT NULL PRIMARY KEY,
    challenger uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    challenged uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    terms      text   NOT NULL,
    pace       text   NOT NULL CHECK (pace IN ('live', 'days')),
    seed_hash  bytea,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    state      text   NOT NULL CHECK (state IN ('waiting', 'accepted', 'declined', 'withdrawn')),
    reason     text
);
CREATE INDEX challenges_challenger ON challenges (challenger);
CREATE INDEX challenges_challenged ON challenges (challenged);
CREATE INDEX challenges_expiry ON challenges (expires_at);

-- Which challenges a guest takes; all, without a row. `games` are names with spaces between them; all, if empty.
CREATE TABLE challenge_settings (
    guest uuid NOT NULL PRIMARY KEY REFERENCES guests (id) ON DELETE CASCADE,
    taken text NOT NULL CHECK (taken IN ('everyone', 'followed', 'nobody')),
    games text NOT NULL
);

-- Players whom a guest follows.
CREATE TABLE follows (
    guest      uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    followed   uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    PRIMARY KEY (guest, followed)
);
CREATE INDEX follows_followed ON follows (followed);

-- Keys with which people sign in in place of a password. `credential` is the id that the authenticator gave it,
-- `cose_key` its public key, `counter` how many signatures it had made, or 0 if it does not count.
CREATE TABLE passkeys (
    id                 uuid    NOT NULL PRIMARY KEY,
    guest              uuid    NOT NULL REFERENCES accounts (guest) ON DELETE CASCADE,
    credential         bytea   NOT NULL UNIQUE,
    cose_key           bytea   NOT NULL,
    counter            bigint  NOT NULL,
    is_backup_eligible boolean NOT NULL,
    is_backed_up       boolean NOT NULL,
    name               text    NOT NULL,
    created_at         bigint  NOT NULL,
    used_at            bigint
);
CREATE INDEX passkeys_guest ON passkeys (guest);

-- Guests who leave: adopted, by a guest who gets their matches, or erased, without one. The row goes when nothing is left
-- to do; the guest may be gone sooner.
CREATE TABLE departures (
    guest   uuid   NOT NULL PRIMARY KEY,
    adopter uuid,
    since   bigint NOT NULL
);
CREATE INDEX departures_adopter ON departures (adopter) WHERE adopter IS NOT NULL;

-- Push subscriptions of browsers and programs. One ends with the session or the API token that made it. `endpoint` is a
-- secret: anyone who knows it can send there. `key` and `auth` encrypt the messages.
CREATE TABLE push_subscriptions (
    id         uuid   NOT NULL PRIMARY KEY,
    guest      uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    session    uuid   REFERENCES tokens (id) ON DELETE CASCADE,
    api_token  uuid   REFERENCES api_tokens (id) ON DELETE CASCADE,
    endpoint   text   NOT NULL UNIQUE,
    key        bytea  NOT NULL,
    auth       bytea  NOT NULL,
    language   text,
    created_at bigint NOT NULL,
    CHECK ((session IS NULL) <> (api_token IS NULL))
);
CREATE INDEX push_subscriptions_guest ON push_subscriptions (guest, created_at);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session);
CREATE INDEX push_subscriptions_api_token ON push_subscriptions (api_token);

-- Preferences of accounts, the same on every device. Pages choose names and values; the server does not interpret them.
CREATE TABLE preferences (
    guest uuid NOT NULL REFERENCES accounts (guest) ON DELETE CASCADE,
    name  text NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (guest, name)
);

-- Conditional turns in correspondence matches. `turns` are JSON.
CREATE TABLE conditional_turns (
    match uuid NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    guest uuid NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    turns text NOT NULL,
    PRIMARY KEY (match, guest)
);
CREATE INDEX conditional_turns_guest ON conditional_turns (guest);

-- Ratings of players, for each game and pace ('live' or 'days'). `version` rises with every change, also of those that
-- are computed again; `number` counts the matches that changed it, those taken back too, `matches` without them.
-- `better_sides`: how often the player had the better side, less how often the worse one. There is no reference to
-- guests: a match may end while one of its players is being erased.
CREATE TABLE ratings (
    guest        uuid             NOT NULL,
    game         text             NOT NULL,
    pace         text             NOT NULL,
    version      bigint           NOT NULL,
    number       bigint           NOT NULL,
    matches      bigint           NOT NULL,
    points       double precision NOT NULL,
    deviation    double precision NOT NULL,
    volatility   double precision NOT NULL,
    ended_at     bigint           NOT NULL,
    better_sides bigint           NOT NULL,
    PRIMARY KEY (guest, game, pace)
);
CREATE INDEX ratings_board ON ratings (game, pace, points DESC) WHERE deviation <= 75 AND matches >= 20;
-- What a match changed, for each of its seats.
CREATE TABLE rating_changes (
    match             uuid             NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat              bigint           NOT NULL,
    guest             uuid             NOT NULL,
    opponent          uuid             NOT NULL,
    game              text             NOT NULL,
    pace              text             NOT NULL,
    number            bigint           NOT NULL,
    at                bigint           NOT NULL,
    constants         bigint           NOT NULL,
    points_before     double precision NOT NULL,
    deviation_before  double precision NOT NULL,
    volatility_before double precision NOT NULL,
    points            double precision NOT NULL,
    deviation         double precision NOT NULL,
    volatility        double precision NOT NULL,
    taken_back_at     bigint,
    PRIMARY KEY (match, seat)
);
CREATE UNIQUE INDEX rating_changes_chain ON rating_changes (guest, game, pace, number);
CREATE INDEX rating_changes_pair ON rating_changes (guest, opponent, game, pace, at);
CREATE INDEX rating_changes_key ON rating_changes (game, pace);
-- Games and paces of which a match was taken back, until their ratings are computed again.
CREATE TABLE ratings_stale (
    game text NOT NULL,
    pace text NOT NULL,
    PRIMARY KEY (game, pace)
);

-- What was said in matches. It goes with who said it, and after 90 days. `phrase` is the name of one; `words` are
-- their own.
CREATE TABLE remarks (
    id      uuid   NOT NULL PRIMARY KEY,
    match   uuid   NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    room    text   NOT NULL CHECK (room IN ('players', 'watchers')),
    guest   uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    said_at bigint NOT NULL,
    phrase  text,
    words   text,
    CHECK ((phrase IS NULL) <> (words IS NULL))
);
CREATE INDEX remarks_match ON remarks (match, room, id);
CREATE INDEX remarks_guest ON remarks (guest, id);
CREATE INDEX remarks_guest_match ON remarks (guest, match);
CREATE INDEX remarks_said_at ON remarks (said_at);

-- How the holders of accounts talk; without a row, by phrases. In children's mode no text reaches them or comes from
-- them.
CREATE TABLE talk_settings (
    guest              uuid    NOT NULL PRIMARY KEY REFERENCES accounts (guest) ON DELETE CASCADE,
    takes_text         boolean NOT NULL,
    has_childrens_mode boolean NOT NULL
);

-- Whom somebody reported, in which match, and what for. `closed_at` is when the operator was done with it.
CREATE TABLE reports (
    id        uuid   NOT NULL PRIMARY KEY,
    match     uuid   NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    reporter  uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    reported  uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    reason    text   NOT NULL,
    words     text,
    made_at   bigint NOT NULL,
    closed_at bigint
);
CREATE UNIQUE INDEX reports_once ON reports (match, reporter, reported);
CREATE INDEX reports_reporter ON reports (reporter, made_at);
CREATE INDEX reports_reported ON reports (reported);
CREATE INDEX reports_open ON reports (id) WHERE closed_at IS NULL;
CREATE INDEX reports_closed_at ON reports (closed_at) WHERE closed_at IS NOT NULL;

-- What the operator has imposed on somebody. `until` is empty if it is for good; `words` are told to them; `read_at` is
-- when they have read a warning.
CREATE TABLE sanctions (
    id         uuid   NOT NULL PRIMARY KEY,
    guest      uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    kind       text   NOT NULL CHECK (kind IN ('warning', 'mute', 'ban')),
    imposed_at bigint NOT NULL,
    until      bigint,
    words      text,
    read_at    bigint
);
CREATE INDEX sanctions_guest ON sanctions (guest, id);
CREATE UNIQUE INDEX sanctions_mute ON sanctions (guest) WHERE kind = 'mute';
CREATE UNIQUE INDEX sanctions_ban ON sanctions (guest) WHERE kind = 'ban';

-- What the operator has done, in order of `id`. Rows are added and never changed; they name guests and matches that may be
-- gone by now.
CREATE TABLE moderation_log (
    id         uuid   NOT NULL PRIMARY KEY,
    done_at    bigint NOT NULL,
    act        text   NOT NULL,
    guest      uuid,
    match      uuid,
    tournament uuid,
    report     uuid,
    until      bigint,
    note       text
);
CREATE INDEX moderation_log_guest ON moderation_log (guest, id);

-- Who left which live match, and when.
CREATE TABLE leavings (
    match   uuid   NOT NULL PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    guest   uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    left_at bigint NOT NULL
);
CREATE INDEX leavings_guest ON leavings (guest, left_at);
CREATE INDEX leavings_left_at ON leavings (left_at);

-- What finished matches come to, for statistics of the games: `key` says what is counted (crates/statistics). A match
-- is counted in the transaction that sets `counted` to the present round, so it is counted once. Another round begins
-- when all is counted again, by other definitions or because an operator wants it.
CREATE TABLE game_counts (
    game  text   NOT NULL,
    key   text   NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (game, key)
);

CREATE TABLE game_counting (
    id          bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    round       bigint NOT NULL,
    definitions bigint NOT NULL
);
INSERT INTO game_counting (id, round, definitions) VALUES (1, 1, 0);

-- What the turns of a rated match lost, for each of its seats: how many there were with a choice, and how much all of
-- them gave away, in chances of winning. `points` is the player's rating before the match; `judge` says which search
-- looked at them: what another one finds cannot be compared.
CREATE TABLE turn_losses (
    match    uuid             NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat     bigint           NOT NULL,
    guest    uuid             NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    game     text             NOT NULL,
    pace     text             NOT NULL,
    ended_at bigint           NOT NULL,
    points   double precision NOT NULL,
    turns    bigint           NOT NULL,
    lost     double precision NOT NULL,
    judge    text             NOT NULL,
    PRIMARY KEY (match, seat)
);
CREATE INDEX turn_losses_guest ON turn_losses (guest, game, pace, ended_at);
CREATE INDEX turn_losses_points ON turn_losses (game, pace, judge, points);
CREATE INDEX turn_losses_ended_at ON turn_losses (ended_at);

-- Who loses so little by their turns that a person should look at it. `matches`, `turns` and `lost` are those that
-- raised the flag, `expected` is what players of that rating lose in a turn.
CREATE TABLE engine_flags (
    id        uuid             NOT NULL PRIMARY KEY,
    guest     uuid             NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    game      text             NOT NULL,
    pace      text             NOT NULL,
    raised_at bigint           NOT NULL,
    points    double precision NOT NULL,
    matches   bigint           NOT NULL,
    turns     bigint           NOT NULL,
    lost      double precision NOT NULL,
    expected  double precision NOT NULL,
    closed_at bigint
);
CREATE UNIQUE INDEX engine_flags_open ON engine_flags (guest, game, pace) WHERE closed_at IS NULL;
CREATE INDEX engine_flags_guest ON engine_flags (guest, game, pace, raised_at);

CREATE INDEX rating_changes_at ON rating_changes (at) WHERE seat = 1;

-- The keys that the servers have made for themselves, each for one purpose. Nothing else may ever be selected together
-- with them.
CREATE TABLE server_keys (
    purpose text  NOT NULL PRIMARY KEY,
    key     bytea NOT NULL
);

-- Challenges for passkeys that were answered rightly, until they expire: none counts twice. The others are stored
-- nowhere: each says itself when it expires, and that a server made it.
CREATE TABLE spent_challenges (
    hash       bytea  NOT NULL PRIMARY KEY,
    expires_at bigint NOT NULL
);
CREATE INDEX spent_challenges_expiry ON spent_challenges (expires_at);

-- Tournaments. `head` is the number of the last event, `last_at` its time. Lists show `card`, which is JSON; they sort by
-- `at`: when it begins or, once it has ended, when that was. The organiser may be gone by now.
CREATE TABLE tournaments (
    id        uuid    NOT NULL PRIMARY KEY,
    organiser uuid    NOT NULL,
    head      bigint  NOT NULL,
    last_at   bigint  NOT NULL,
    game      text    NOT NULL,
    stage     text    NOT NULL CHECK (stage IN ('announced', 'running', 'ended')),
    listed    boolean NOT NULL,
    at        bigint  NOT NULL,
    card      text    NOT NULL,
    wake_at   bigint
);
CREATE INDEX tournaments_listed ON tournaments (stage, at, id) WHERE listed;
CREATE INDEX tournaments_listed_game ON tournaments (stage, game, at, id) WHERE listed;
CREATE INDEX tournaments_at ON tournaments (at, id);
CREATE INDEX tournaments_organiser ON tournaments (organiser, stage);
CREATE INDEX tournaments_wake_at ON tournaments (wake_at, id) WHERE wake_at IS NOT NULL;

-- Their events, which are JSON.
CREATE TABLE tournament_events (
    tournament uuid   NOT NULL REFERENCES tournaments (id),
    seq        bigint NOT NULL,
    at         bigint NOT NULL,
    event      text   NOT NULL,
    PRIMARY KEY (tournament, seq)
);

-- Which tournaments a guest has entered.
CREATE TABLE tournament_entrants (
    guest      uuid NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    tournament uuid NOT NULL REFERENCES tournaments (id),
    PRIMARY KEY (guest, tournament)
);
