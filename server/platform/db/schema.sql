-- All tables of Lectern 1.0.0, by topic. This file never changes again: numbered migrations in `migrations/` follow it. See
-- the recipe for tables in CONTRIBUTING.md.
--
-- Conventions: `*_key` of a course or word is folded by server/features/search/text-analysis/, `*_hash` and `*_sha256` are
-- digests, and times that are compared with a cursor have milliseconds, as in the JSON. A foreign key defines what happens
-- when its row is deleted.
--
-- Triggers, and why each is no call in the code:
-- - note_deleted, document_deleted, thumbnail_deleted, export_deleted: rows also go by cascades,
--   for example with their user. No statement may forget the file of such a row.
-- - audit_entries_kept, moderation_decisions_kept, moderation_decisions_redacted: logs that no program may change, psql included.
-- - note_written_search, user_renamed_search: what a note is found by changes in the transaction that changes the note or the
--   name of its author, whichever statement that is, or an anonymous note could be found by its author's name.
-- - notes_inserted_suggestions, notes_updated_suggestions, notes_deleted_suggestions: counts must follow every change of a
--   note in one lock order.

-- This file and the migrations applied after it, with the version that applied each. A server starts only on a schema that
-- it knows; see server/platform/db/migrate.ts.
CREATE TABLE schema_migrations (
  name text PRIMARY KEY,
  sha256 text NOT NULL,
  lectern text NOT NULL,
  -- Not now(): a transaction that started first can be the one that waited for the lock.
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);


-- == Accounts ==

-- People who have proved that they own the email address. Before that they are in `registrations`.
CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  -- The name, folded for search.
  name_words tsvector NOT NULL DEFAULT '',
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  role text NOT NULL DEFAULT 'student' CHECK (role IN ('student', 'moderator', 'admin')),
  -- When the account is to be deleted, and whether its notes stay as anonymous ones or are removed: the anonymous ones later,
  -- one by one, or all now.
  deletion_due_at timestamptz(3),
  notes_on_deletion text CHECK (notes_on_deletion IN ('keep', 'remove', 'remove-now')),
  -- Folded words of earlier names and addresses: they still name the user, so they are taken out of anonymous titles.
  former_name_words text[] NOT NULL DEFAULT '{}',
  CHECK ((deletion_due_at IS NULL) = (notes_on_deletion IS NULL))
);
CREATE INDEX users_deletion_due ON users (deletion_due_at) WHERE deletion_due_at IS NOT NULL;

-- Passwords, apart from users because a user can also log in with passkeys alone.
CREATE TABLE passwords (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  password_hash text NOT NULL
);

-- Invitations, each of which lets one person register, whatever the registration policy.
CREATE TABLE invitations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Of the link's token. Null until it is mailed.
  token_hash bytea UNIQUE,
  -- Null where the admin was given the link.
  email text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  -- When it became an account.
  used_at timestamptz(3)
);
CREATE INDEX invitations_expires ON invitations (expires_at);

-- What was typed into the registration form. It becomes a user when its own link is used, so that a registration by a
-- stranger for the same address never decides the password of the account.
CREATE TABLE registrations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  email text NOT NULL CHECK (email = lower(email)),
  password_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The account it became. Kept for as long as its link may be clicked a second time.
  user_id uuid REFERENCES users ON DELETE CASCADE,
  invitation_id uuid REFERENCES invitations ON DELETE SET NULL
);
CREATE INDEX registrations_email ON registrations (email, created_at DESC);
-- A form that is sent twice simultaneously makes one registration. Rows without an address are placeholders for
-- registered addresses.
CREATE UNIQUE INDEX registrations_pending ON registrations (email, password_hash) WHERE user_id IS NULL AND email <> '';
CREATE INDEX registrations_user ON registrations (user_id);
CREATE INDEX registrations_created ON registrations (created_at);
CREATE INDEX registrations_invitation ON registrations (invitation_id);

-- Tokens of mailed links. A verification token names a registration, a reset token a user.
CREATE TABLE account_tokens (
  token_hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('verify', 'reset')),
  registration_id uuid REFERENCES registrations ON DELETE CASCADE,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  CHECK ((purpose = 'verify') = (registration_id IS NOT NULL)),
  CHECK ((purpose = 'reset') = (user_id IS NOT NULL))
);
CREATE INDEX account_tokens_registration ON account_tokens (registration_id);
CREATE INDEX account_tokens_user ON account_tokens (user_id);

-- The newest change of email address that a user requested. The row does not show whether another account has that
-- address, because the user can see the row.
CREATE TABLE email_changes (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- In the job that sends the mail; each change has another one.
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  email text NOT NULL CHECK (email = lower(email)),
  expires_at timestamptz(3) NOT NULL,
  -- Of the link's token; null until the mail is written, and where no link is sent.
  token_hash bytea UNIQUE,
  -- Kept for as long as the link may be clicked a second time.
  confirmed_at timestamptz
);
CREATE INDEX email_changes_expires ON email_changes (expires_at);

-- Security mails with a "This was not me" link, written in the transaction of the event.
CREATE TABLE security_alerts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The order of events: the address that was alerted first has the older right to the account.
  number bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN
    ('password-changed', 'email-changed', 'new-device', 'leaving', 'passkey-added', 'passkey-removed',
     'two-factor-on', 'two-factor-off', 'recovery-codes-renewed')),
  -- The recipient: the address of the account at that time.
  email text NOT NULL,
  -- The device of a login, as its browser reports it.
  device text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null until the mail is written.
  token_hash bytea UNIQUE,
  expires_at timestamptz,
  CHECK ((token_hash IS NULL) = (expires_at IS NULL))
);
CREATE INDEX security_alerts_user ON security_alerts (user_id, number);
CREATE INDEX security_alerts_created ON security_alerts (created_at);

-- Data exports: one file per user, made by a job and kept for some days.
CREATE TABLE exports (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- In the job that makes it; each export has another one.
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  -- All three null until it is made.
  file_key text UNIQUE,
  bytes bigint,
  expires_at timestamptz(3),
  CHECK ((file_key IS NULL) = (bytes IS NULL) AND (file_key IS NULL) = (expires_at IS NULL))
);
CREATE INDEX exports_expires ON exports (expires_at);

-- Addresses that their mail server rejected permanently, which get no optional mail. Hashed, because some belong to
-- strangers. A row goes when a mail is delivered there again, or after 90 days.
CREATE TABLE mail_suppressions (
  address_sha256 bytea PRIMARY KEY CHECK (length(address_sha256) = 32),
  refused_at timestamptz(3) NOT NULL DEFAULT now()
);


-- == Logging in ==

-- Sessions. Ending one deletes it.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Moves on with every refresh.
  expires_at timestamptz NOT NULL,
  -- As the browser reports it.
  device text,
  -- As of the last refresh.
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The session of a suspended user, who can only read why, export their data and leave. It never becomes a full one.
  is_limited boolean NOT NULL DEFAULT false,
  -- How many successors its refresh tokens were given, and whether the newest one was used: it was exchanged, or a request came
  -- with an access token that was given out with it.
  rotation integer NOT NULL DEFAULT 0,
  is_rotation_used boolean NOT NULL DEFAULT true
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expires ON sessions (expires_at);

-- Every refresh token that a session has had, so that the reuse of an old one is noticed. One that was replaced has the number
-- of its successor.
CREATE TABLE refresh_tokens (
  token_hash bytea PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  rotated_at timestamptz,
  successor integer,
  CHECK ((rotated_at IS NULL) = (successor IS NULL))
);
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);

-- Devices on which a user has logged in, so that only a login elsewhere causes an alert. The hash is an HMAC of the
-- device's cookie for this user, so the table does not show which users share a device.
CREATE TABLE known_devices (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  device_hash bytea NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, device_hash)
);
CREATE INDEX known_devices_used ON known_devices (last_used_at);

-- The random handle by which an authenticator knows a user, so that it learns nothing about the account.
CREATE TABLE webauthn_user_handles (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  handle bytea NOT NULL UNIQUE
);

-- Passkeys; see docs/decisions/0008-passkeys-and-recovery.md.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES webauthn_user_handles ON DELETE CASCADE,
  credential_id bytea NOT NULL UNIQUE,
  -- COSE.
  public_key bytea NOT NULL,
  -- Always 0 for a passkey that is synchronised between devices.
  sign_count bigint NOT NULL,
  -- How a browser reaches the authenticator: `internal`, `usb`, …
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE INDEX passkeys_user ON passkeys (user_id, created_at);

-- Challenges for an authenticator to sign, each valid once and for a short time.
CREATE TABLE passkey_challenges (
  challenge_hash bytea PRIMARY KEY,
  -- The session in which a passkey is added; null for a login.
  session_id uuid REFERENCES sessions ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expires ON passkey_challenges (expires_at);
CREATE INDEX passkey_challenges_session ON passkey_challenges (session_id);

-- Two-factor login: a code of an app after the password; see docs/decisions/0008-passkeys-and-recovery.md.
CREATE TABLE totp (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- The secret shared with the app: AES-256-GCM, with a key derived from the server's secret for this user.
  encrypted_secret bytea NOT NULL,
  -- The last 30-second step of which a code was accepted; codes up to it are refused.
  last_time_step bigint NOT NULL,
  enabled_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);

-- A secret until the app's first code confirms it. It ends with its session.
CREATE TABLE totp_setups (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  encrypted_secret bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX totp_setups_session ON totp_setups (session_id);

-- Recovery codes of two-factor login.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES totp ON DELETE CASCADE,
  -- argon2id. The codes of a user have one salt, so that a code is hashed once to be compared with all of them.
  code_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, code_hash)
);

-- Logins whose password was right and whose code is missing.
CREATE TABLE login_challenges (
  -- Of the token in its cookie.
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES passwords ON DELETE CASCADE,
  attempts_left int NOT NULL CHECK (attempts_left >= 0),
  expires_at timestamptz NOT NULL
);
CREATE INDEX login_challenges_user ON login_challenges (user_id);
CREATE INDEX login_challenges_expires ON login_challenges (expires_at);

-- Counters of rate-limiter-flexible, shared by all servers.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- What needs the operator's attention, one row for each kind. An ended problem stays, so that one that comes and goes is emailed
-- once a day at most.
CREATE TABLE problems (
  kind text PRIMARY KEY,
  text text NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  mailed_at timestamptz(3)
);

-- What came of the last `lectern admin backup`. `failure`: null when it succeeded. One row.
CREATE TABLE backup_result (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  failure text,
  succeeded_at timestamptz(3)
);

-- An HMAC of the secret of this instance: a server with another SECRET refuses to start. One row, written by the first start.
CREATE TABLE secret_fingerprint (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  fingerprint text NOT NULL
);


-- == Files ==

-- The storage that holds the files of this database: the storage has the same marker. One row, written by the first start.
CREATE TABLE storage_identity (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  marker uuid NOT NULL
);

-- Files to be deleted after `delete_after`. A row is written before the first byte of a file, deleted in the transaction that inserts
-- its document, and written again when the document is deleted. After any crash the sweep finds the file without listing
-- the storage.
CREATE TABLE file_deletions (
  file_key text PRIMARY KEY,
  delete_after timestamptz NOT NULL
);
CREATE INDEX file_deletions_due ON file_deletions (delete_after);

-- Until a row's time no file is deleted: a running backup reads the files of its snapshot.
CREATE TABLE deletion_holds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  expires_at timestamptz NOT NULL
);

-- The stored file of a note. A job reads its text and another draws its thumbnail; each can fail alone. A state is `pending`
-- until the job is done and `failed` with an error after it was given up; `empty` means that there is no text.
CREATE TABLE documents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Random. It changes with the file's bytes and reveals nothing about them.
  file_key text NOT NULL UNIQUE,
  bytes bigint NOT NULL,
  sha256 bytea NOT NULL,
  -- Null where the file needs a password.
  page_count integer CHECK (page_count > 0),
  -- The file's own headings, as `[{ title, page, depth }]`. Null until the text is read.
  outline jsonb,
  -- Pages, counted from 1, that were rasterised when the document was anonymised. Null: none.
  rasterised_pages integer[],
  -- Links and form values that were left out when it was anonymised, because they named the author.
  dropped_links integer NOT NULL DEFAULT 0,
  -- When its jobs were enqueued last.
  processing_requested_at timestamptz NOT NULL DEFAULT now(),
  text_state text NOT NULL DEFAULT 'pending' CHECK (text_state IN ('pending', 'done', 'empty', 'failed')),
  text_error text,
  -- Attempts are counted before they begin, so that a file that kills its server counts too; after three it is given up.
  -- A third attempt may be running in another server, so only one that began long ago counts as failed.
  text_attempts integer NOT NULL DEFAULT 0,
  text_attempted_at timestamptz,
  thumbnail_state text NOT NULL DEFAULT 'pending' CHECK (thumbnail_state IN ('pending', 'done', 'failed')),
  thumbnail_error text,
  thumbnail_attempts integer NOT NULL DEFAULT 0,
  thumbnail_attempted_at timestamptz,
  -- OCR, page by page, of pages without text of their own. `none`: there are no such pages. Attempts are of one page.
  ocr_state text NOT NULL DEFAULT 'none' CHECK (ocr_state IN ('none', 'pending', 'done', 'empty', 'failed')),
  ocr_error text,
  ocr_attempts integer NOT NULL DEFAULT 0,
  ocr_attempted_at timestamptz,
  -- Pages, counted from 1, whose words could not be recognised or are beyond the limit. Null: none.
  ocr_failed_pages integer[],
  -- When its job was enqueued last. Null: not since there is something to do.
  ocr_requested_at timestamptz
);
CREATE INDEX documents_pending ON documents (processing_requested_at) WHERE text_state = 'pending' OR thumbnail_state = 'pending';
CREATE INDEX documents_ocr_pending ON documents (ocr_requested_at NULLS FIRST) WHERE ocr_state = 'pending';

CREATE FUNCTION release_file_of_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_deletions (file_key, delete_after) VALUES (OLD.file_key, now());
  RETURN NULL;
END $$;
CREATE TRIGGER document_deleted AFTER DELETE ON documents
  FOR EACH ROW EXECUTE FUNCTION release_file_of_document();
CREATE TRIGGER export_deleted AFTER DELETE ON exports
  FOR EACH ROW WHEN (OLD.file_key IS NOT NULL) EXECUTE FUNCTION release_file_of_document();

-- Images, in two sizes, of the first page that is not blank.
CREATE TABLE thumbnails (
  document_id uuid PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  -- Random, in the image's address: who knows it may see the image. A new image has a new one.
  key text NOT NULL UNIQUE,
  small_file_key text NOT NULL UNIQUE,
  large_file_key text NOT NULL UNIQUE,
  small_sha256 bytea NOT NULL,
  large_sha256 bytea NOT NULL
);

CREATE FUNCTION release_files_of_thumbnail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_deletions (file_key, delete_after) VALUES (OLD.small_file_key, now()), (OLD.large_file_key, now());
  RETURN NULL;
END $$;
CREATE TRIGGER thumbnail_deleted AFTER DELETE ON thumbnails
  FOR EACH ROW EXECUTE FUNCTION release_files_of_thumbnail();

-- Uploads of the last 24 hours, which the quota counts. A failed one has no row.
CREATE TABLE uploads (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- Reserved while it is in progress, then stored.
  bytes bigint NOT NULL,
  -- Null when it is complete. A reservation whose server died ends at this time.
  lease_expires_at timestamptz
);
CREATE INDEX uploads_user ON uploads (user_id, started_at);
CREATE INDEX uploads_started ON uploads (started_at);

-- When an upload of several requests began, which orders its notes. Deleted after a day, with its files.
CREATE TABLE upload_batches (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  id uuid NOT NULL,
  began_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, id)
);
CREATE INDEX upload_batches_began ON upload_batches (began_at);

-- The files of such an upload that are settled, so that one that is sent again is not shared twice.
CREATE TABLE batch_files (
  user_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  position integer NOT NULL,
  -- As it was sent; null where its sender gave it up. Without a note, also one that was deleted since, the file is refused.
  sha256 bytea,
  note_id uuid,
  PRIMARY KEY (user_id, batch_id, position),
  FOREIGN KEY (user_id, batch_id) REFERENCES upload_batches ON DELETE CASCADE
);

-- Quotas of single users, instead of the quota of all.
CREATE TABLE upload_quotas (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  daily_mb integer NOT NULL CHECK (daily_mb > 0)
);


-- == Notes ==

-- Notes. A user with notes or ratings cannot be deleted by a cascade: server/features/accounts/users/remove-user.ts keeps counters right.
CREATE TABLE notes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Null when the author has left and the note stayed, anonymous for ever.
  user_id uuid REFERENCES users ON DELETE RESTRICT,
  document_id uuid NOT NULL UNIQUE REFERENCES documents,
  title text NOT NULL,
  course_code text NOT NULL,
  academic_year text NOT NULL,
  instructor text,
  is_anonymous boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The place in the author's own list: files of one upload in the order in which they were chosen. Null: `created_at`.
  own_sort_at timestamptz(3),
  -- The file as it was sent, which the stored one of an anonymous note is not: its author learns about a file that they
  -- choose twice. No response contains it.
  source_sha256 bytea,
  likes integer NOT NULL DEFAULT 0 CHECK (likes >= 0),
  dislikes integer NOT NULL DEFAULT 0 CHECK (dislikes >= 0),

  -- Hidden by a moderator, by which rule and why; see docs/decisions/0016-moderation.md.
  hidden_at timestamptz(3),
  hidden_rule text,
  hidden_reason text,
  -- Hidden because its author is suspended, until that ends.
  hidden_by_suspension boolean NOT NULL DEFAULT false,
  -- A random time at which a note is deleted that its author left behind, or is shown again that became anonymous while a
  -- suspension hid it: going or returning together with the author's named notes would reveal the author.
  due_at timestamptz,

  -- Folded for search; rows of an older `fold_version` are folded again by server/features/search/reindex.ts.
  course_key text NOT NULL COLLATE "C",
  course_words tsvector NOT NULL DEFAULT '',
  title_words tsvector NOT NULL,
  instructor_words tsvector NOT NULL,
  fold_version integer NOT NULL DEFAULT 0,

  CHECK (user_id IS NOT NULL OR is_anonymous),
  CHECK ((hidden_at IS NULL) = (hidden_rule IS NULL) AND (hidden_at IS NULL) = (hidden_reason IS NULL)),
  CHECK (NOT hidden_by_suspension OR hidden_at IS NOT NULL)
) WITH (
  -- Index-only scans work for vacuumed pages.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02
);

-- Lists of all notes. An index that a list uses has no hidden notes, so that none are skipped.
CREATE INDEX notes_newest ON notes (created_at DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX notes_most_liked ON notes (likes DESC, id DESC) WHERE hidden_at IS NULL;
-- Notes of a past year are nearly all old, so a scan from the newest note would read most of the table.
CREATE INDEX notes_year ON notes (academic_year, created_at DESC, id DESC) WHERE hidden_at IS NULL;

-- Lists of one course. A list by likes, of one year or of one instructor reads the notes of the course.
CREATE INDEX notes_course_newest ON notes (course_key, created_at DESC, id DESC) WHERE hidden_at IS NULL;

-- Lists of one author: their own, and those that others see, which take as long however much the author shares
-- anonymously. A list by likes reads the notes of the author.
CREATE INDEX notes_mine_newest ON notes (user_id, coalesce(own_sort_at, created_at) DESC, id DESC);
CREATE INDEX notes_by_name_newest ON notes (user_id, created_at DESC, id DESC)
  WHERE NOT is_anonymous AND hidden_at IS NULL;

-- Moderation, the jobs of suspensions, and folding.
CREATE INDEX notes_hidden ON notes (hidden_at DESC, id) WHERE hidden_at IS NOT NULL;
CREATE INDEX notes_due ON notes (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notes_fold_version ON notes (fold_version);

ALTER TABLE batch_files ADD FOREIGN KEY (note_id) REFERENCES notes ON DELETE SET NULL;
CREATE INDEX batch_files_note ON batch_files (note_id);

CREATE FUNCTION delete_document_of_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM documents WHERE id = OLD.document_id;
  RETURN NULL;
END $$;
CREATE TRIGGER note_deleted AFTER DELETE ON notes
  FOR EACH ROW EXECUTE FUNCTION delete_document_of_note();

-- Likes and dislikes, which `notes` counts.
CREATE TABLE ratings (
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  liked boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, note_id)
);
-- With both columns, either index finds one user's rating of one note as a single entry.
CREATE INDEX ratings_note ON ratings (note_id, user_id);
CREATE INDEX ratings_liked ON ratings (user_id, created_at DESC, note_id DESC) WHERE liked;
CREATE INDEX ratings_disliked ON ratings (user_id, created_at DESC, note_id DESC) WHERE NOT liked;

-- The notes that a user opened last.
CREATE TABLE recently_viewed (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  -- 0 is the newest.
  position integer NOT NULL,
  PRIMARY KEY (user_id, note_id)
);
CREATE INDEX recently_viewed_note ON recently_viewed (note_id);

-- The page at which a user stopped reading.
CREATE TABLE reading_positions (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  page integer NOT NULL CHECK (page > 0),
  read_at timestamptz NOT NULL DEFAULT now(),
  -- No longer shown under "continue reading"; the page is remembered.
  dismissed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, note_id)
);
CREATE INDEX reading_positions_note ON reading_positions (note_id);
CREATE INDEX reading_positions_latest ON reading_positions (user_id, read_at DESC) WHERE NOT dismissed;

-- Views and likes of an author's notes, which only the author sees: no reader, note or time of day. One row for each event,
-- negative for a withdrawn like, because a shared row would make raters wait for each other, and that wait would tell whose
-- an anonymous note is. Weeks begin on Mondays, UTC.
CREATE TABLE author_weekly_stats (
  owner_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  week date NOT NULL,
  views integer NOT NULL DEFAULT 0,
  likes integer NOT NULL DEFAULT 0
);
CREATE INDEX author_weekly_stats_owner ON author_weekly_stats (owner_id, week) INCLUDE (views, likes);

-- Who has ever opened or liked a note of an author, so that each reader is counted once. Only ever counted.
CREATE TABLE author_readers (
  owner_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  reader_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (owner_id, reader_id)
);
CREATE INDEX author_readers_reader ON author_readers (reader_id);

-- Notes that a user opened today, so that opening one again is not counted. Deleted when the user opens a note on a later day.
CREATE TABLE daily_note_views (
  reader_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  day date NOT NULL,
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  PRIMARY KEY (reader_id, day, note_id)
);
CREATE INDEX daily_note_views_note ON daily_note_views (note_id);


-- == Courses ==

-- Names of courses, from the imported list.
CREATE TABLE course_names (
  course_key text COLLATE "C" PRIMARY KEY,
  code text NOT NULL,
  name text NOT NULL,
  -- Code and name, folded.
  words tsvector NOT NULL,
  fold_version integer NOT NULL
);

-- Courses that a user follows.
CREATE TABLE course_follows (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  course_key text COLLATE "C" NOT NULL,
  followed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, course_key)
);
-- Followers are counted by course.
CREATE INDEX course_follows_course ON course_follows (course_key);

-- Users who have ever asked for digests of followed courses. The row stays when they unsubscribe, so that the link in an
-- older mail also ends a later subscription.
CREATE TABLE course_digests (
  -- Only in the unsubscribe link.
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
  -- Null while unsubscribed.
  frequency text CHECK (frequency IN ('daily', 'weekly')),
  due_at timestamptz,
  -- Notes up to here were in a digest.
  notified_until timestamptz NOT NULL DEFAULT now(),
  -- Numbers of the last digest that was planned, and of the last one whose sending began, which never begins again.
  last_planned integer NOT NULL DEFAULT 0,
  last_started integer NOT NULL DEFAULT 0,
  CHECK ((frequency IS NULL) = (due_at IS NULL))
);
CREATE INDEX course_digests_due ON course_digests (due_at) WHERE due_at IS NOT NULL;


-- == Search ==

-- The index of phrases: each pair of consecutive words on a page is one of 2^18 numbers.
CREATE FUNCTION word_pairs(words text) RETURNS integer[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg(hashtext(word || ' ' || next) & 262143)
    FROM string_to_array(btrim(words), ' ') AS w (all_words), ROWS FROM (unnest(all_words), unnest(all_words[2:])) AS pair (word, next)
   WHERE next IS NOT NULL
$$;

-- The text of documents by page.
CREATE TABLE document_pages (
  document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
  -- From 1.
  page integer NOT NULL CHECK (page > 0),
  text text NOT NULL,
  -- OCR text: `[{ text, box: [left, top, width, height] }]`, in parts of the page. Also where no word was found.
  ocr_words jsonb,
  -- The folded words in their order, between blanks; after a `|` further terms such as `c++`.
  words text NOT NULL DEFAULT '',
  fold_version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (document_id, page)
);
CREATE INDEX document_pages_fold_version ON document_pages (fold_version);
CREATE INDEX document_pages_pairs ON document_pages USING gin (word_pairs(words)) WITH (fastupdate = off);
-- What a note is found by and ranked by, apart from its text: a short row, written in the transaction that changes the note.
-- The first character of a lexeme is its source. `words`: `t` title, course, instructor and, if the note carries it, the
-- author's name; `*` these and the topics of the text; `a` author, `c` course, `y` year, `!` a title of stop words only.
-- `filter`, for the fields: `t` title, `i` instructor, `c` course, `y` year. `ranked`: weights A title, B course,
-- instructor and author, C the 20 words that the text contains most often, D the next 40,
-- each at its place among them.
CREATE TABLE note_search (
  note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  hidden boolean NOT NULL,
  title_length smallint NOT NULL,
  filter tsvector NOT NULL,
  words tsvector NOT NULL,
  ranked tsvector NOT NULL
);
-- Every beginning of a word is a key, since GIN finds whole keys in half the time of prefixes, and of several keys only the
-- notes that have all.
CREATE FUNCTION beginnings(words tsvector) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 2000 AS $$
  SELECT array_agg(DISTINCT left(word, length))
    FROM unnest(tsvector_to_array(words)) AS word, generate_series(2, char_length(word)) AS length
$$;
CREATE INDEX note_search_newest ON note_search (created_at DESC, note_id DESC) WHERE NOT hidden;
-- Every search reads the list of pending keys, so it is short.
CREATE INDEX note_search_filter ON note_search USING gin (beginnings(filter)) WITH (gin_pending_list_limit = 256);
CREATE INDEX note_search_words ON note_search USING gin (words) WITH (fastupdate = off);

-- The long row, written by the job `index-notes` when the text was read, and some seconds after an edit: `=` every word of text,
-- title, course and instructor, never of the author; `c` course, `y` year.
CREATE TABLE note_text (
  note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE,
  words tsvector NOT NULL
);
CREATE INDEX note_text_words ON note_text USING gin (words) WITH (fastupdate = off);

-- Documents whose notes `index-notes` has to write again. Rows are only inserted, and may repeat, so that no transaction waits
-- for another.
CREATE TABLE index_queue (
  document_id uuid NOT NULL
);

-- The words of all notes. `keys` are stems, each behind the letter of its language; `forms` are the word and the word without
-- each of its letters: two words are one typing error apart if they have a form in common. The empty word counts the notes.
CREATE TABLE search_words (
  word text COLLATE "C" PRIMARY KEY,
  notes integer NOT NULL,
  keys text[],
  forms text[]
) WITH (fillfactor = 80);
CREATE INDEX search_words_keys ON search_words USING gin (keys) WITH (fastupdate = off);
CREATE INDEX search_words_forms ON search_words USING gin (forms) WITH (fastupdate = off);
CREATE INDEX search_words_reversed ON search_words (reverse(word) COLLATE "C");

-- The keys of filters that narrow searches of texts, too: `c` course, `y` year.
CREATE FUNCTION note_keys(n notes) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['c' || n.course_key, 'y' || n.academic_year]
$$;

-- Writes the short row of a note. `topics`: lexemes of its text with the weights C and D.
CREATE FUNCTION write_note_search(n notes, topics tsvector) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  author tsvector := coalesce((SELECT name_words FROM users WHERE id = n.user_id AND NOT n.is_anonymous), '');
  title text[] := tsvector_to_array(n.title_words);
  head text[] := title || tsvector_to_array(n.course_words || n.instructor_words || author);
  is_of_stop_words boolean := '!' = ANY(title);
  entry note_search;
BEGIN
  title := array_remove(title, '!');
  head := array_remove(head, '!');
  entry := ROW (n.id, n.created_at, n.hidden_at IS NOT NULL, cardinality(title),
    array_to_tsvector(ARRAY(SELECT 't' || word FROM unnest(title) AS word)
      || ARRAY(SELECT 'i' || word FROM unnest(tsvector_to_array(n.instructor_words)) AS word)
      || note_keys(n)),
    array_to_tsvector(ARRAY(SELECT 't' || word FROM unnest(head) AS word)
      || ARRAY(SELECT '*' || word FROM unnest(head || tsvector_to_array(topics)) AS word)
      || ARRAY(SELECT 'a' || word FROM unnest(tsvector_to_array(author)) AS word)
      || note_keys(n) || CASE WHEN is_of_stop_words THEN '{!}'::text[] ELSE '{}' END),
    -- Topics first, because `||` moves the positions of what follows.
    topics || setweight(ts_delete(n.title_words, '!'), 'A') || setweight(n.course_words || n.instructor_words || author, 'B')
  );
  INSERT INTO note_search SELECT entry.*
  ON CONFLICT (note_id) DO UPDATE
     SET created_at = entry.created_at, hidden = entry.hidden, title_length = entry.title_length,
         filter = entry.filter, words = entry.words, ranked = entry.ranked;
END $$;

CREATE FUNCTION write_changed_note_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.document_id = OLD.document_id THEN
    IF (OLD.title_words, OLD.course_words, OLD.instructor_words, note_keys(OLD))
       IS NOT DISTINCT FROM (NEW.title_words, NEW.course_words, NEW.instructor_words, note_keys(NEW))
       AND OLD.is_anonymous = NEW.is_anonymous THEN
      UPDATE note_search SET hidden = NEW.hidden_at IS NOT NULL, created_at = NEW.created_at WHERE note_id = NEW.id;
      RETURN NULL;
    END IF;
    PERFORM write_note_search(NEW, coalesce((SELECT ts_filter(ranked, '{c,d}') FROM note_search WHERE note_id = NEW.id), ''));
    -- Words of the former title may name the author.
    IF NEW.is_anonymous THEN DELETE FROM note_text WHERE note_id = NEW.id; END IF;
  ELSE
    PERFORM write_note_search(NEW, '');
    DELETE FROM note_text WHERE note_id = NEW.id;
  END IF;
  INSERT INTO index_queue VALUES (NEW.document_id);
  RETURN NULL;
END $$;
CREATE TRIGGER note_written_search
  AFTER INSERT OR UPDATE OF title_words, course_words, instructor_words, course_key, academic_year, document_id, is_anonymous,
    hidden_at, created_at ON notes
  FOR EACH ROW EXECUTE FUNCTION write_changed_note_search();

CREATE FUNCTION write_renamed_author_search() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  n notes;
BEGIN
  FOR n IN SELECT * FROM notes WHERE user_id = NEW.id AND NOT is_anonymous ORDER BY id FOR NO KEY UPDATE LOOP
    PERFORM write_note_search(n, coalesce((SELECT ts_filter(ranked, '{c,d}') FROM note_search WHERE note_id = n.id), ''));
    INSERT INTO index_queue VALUES (n.document_id);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER user_renamed_search AFTER UPDATE OF name_words ON users
  FOR EACH ROW WHEN (OLD.name_words IS DISTINCT FROM NEW.name_words) EXECUTE FUNCTION write_renamed_author_search();

-- Courses, titles and instructors of all notes that are not hidden, each spelling with the number of its notes, for
-- suggestions and for the counts of courses.
CREATE TABLE suggestions (
  kind text NOT NULL CHECK (kind IN ('course', 'title', 'instructor')),
  text text NOT NULL,
  -- The same for spellings that are one: of a course without blanks and hyphens, else the folded words.
  key text NOT NULL COLLATE "C",
  words tsvector NOT NULL,
  notes integer NOT NULL,
  PRIMARY KEY (kind, text)
);
CREATE INDEX suggestions_frequent ON suggestions (kind, notes DESC, text);
CREATE INDEX suggestions_key ON suggestions (kind, key);
-- One for each kind, so that a search for courses does not read the titles with the same word.
CREATE INDEX suggestions_course_words ON suggestions USING gin (words) WITH (fastupdate = off) WHERE kind = 'course';
CREATE INDEX suggestions_title_words ON suggestions USING gin (words) WITH (fastupdate = off) WHERE kind = 'title';
CREATE INDEX suggestions_instructor_words ON suggestions USING gin (words) WITH (fastupdate = off) WHERE kind = 'instructor';

CREATE FUNCTION suggestions_of(n notes, change integer)
RETURNS TABLE (kind text, text text, key text, words tsvector, change integer) LANGUAGE sql IMMUTABLE AS $$
  SELECT s.* FROM (
    VALUES ('course', n.course_code, n.course_key::text, n.course_words, change),
           ('title', n.title, array_to_string(tsvector_to_array(n.title_words), ' '), n.title_words, change),
           ('instructor', n.instructor, array_to_string(tsvector_to_array(n.instructor_words), ' '), n.instructor_words, change)
    ) AS s
   WHERE n.hidden_at IS NULL
$$;

-- Each statement locks rows in one order, also an update of many notes: otherwise it and an upload of the same titles would
-- wait for each other.
CREATE FUNCTION count_suggestions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO suggestions
    SELECT s.kind, s.text, (array_agg(s.key))[1], (array_agg(s.words))[1], sum(s.change)
      FROM changed_notes n, suggestions_of(n, 1) AS s WHERE s.text IS NOT NULL
     GROUP BY s.kind, s.text ORDER BY s.kind, s.text
    ON CONFLICT ON CONSTRAINT suggestions_pkey
    DO UPDATE SET notes = suggestions.notes + EXCLUDED.notes, key = EXCLUDED.key, words = EXCLUDED.words;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO suggestions
    SELECT s.kind, s.text, (array_agg(s.key))[1], (array_agg(s.words))[1], sum(s.change)
      FROM changed_notes n, suggestions_of(n, -1) AS s WHERE s.text IS NOT NULL
     GROUP BY s.kind, s.text ORDER BY s.kind, s.text
    ON CONFLICT ON CONSTRAINT suggestions_pkey DO UPDATE SET notes = suggestions.notes + EXCLUDED.notes;
    DELETE FROM suggestions d USING changed_notes n, suggestions_of(n, 0) AS s
     WHERE d.kind = s.kind AND d.text = s.text AND d.notes <= 0;
  ELSE
    INSERT INTO suggestions
    SELECT s.kind, s.text, (array_agg(s.key ORDER BY s.change))[count(*)],
           (array_agg(s.words ORDER BY s.change))[count(*)], sum(s.change)
      FROM old_notes o JOIN changed_notes n ON n.id = o.id,
           LATERAL (SELECT * FROM suggestions_of(o, -1) UNION ALL SELECT * FROM suggestions_of(n, 1)) AS s
     WHERE s.text IS NOT NULL
       AND (o.title, o.course_code, o.instructor, o.title_words, o.course_words, o.instructor_words, o.hidden_at)
           IS DISTINCT FROM
           (n.title, n.course_code, n.instructor, n.title_words, n.course_words, n.instructor_words, n.hidden_at)
     GROUP BY s.kind, s.text ORDER BY s.kind, s.text
    ON CONFLICT ON CONSTRAINT suggestions_pkey
    DO UPDATE SET notes = suggestions.notes + EXCLUDED.notes, key = EXCLUDED.key, words = EXCLUDED.words;
    -- Most updates are likes.
    IF FOUND THEN
      DELETE FROM suggestions d USING old_notes o, suggestions_of(o, 0) AS s
       WHERE d.kind = s.kind AND d.text = s.text AND d.notes <= 0;
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER notes_inserted_suggestions AFTER INSERT ON notes
  REFERENCING NEW TABLE AS changed_notes FOR EACH STATEMENT EXECUTE FUNCTION count_suggestions();
CREATE TRIGGER notes_deleted_suggestions AFTER DELETE ON notes
  REFERENCING OLD TABLE AS changed_notes FOR EACH STATEMENT EXECUTE FUNCTION count_suggestions();
CREATE TRIGGER notes_updated_suggestions AFTER UPDATE ON notes
  REFERENCING OLD TABLE AS old_notes NEW TABLE AS changed_notes FOR EACH STATEMENT EXECUTE FUNCTION count_suggestions();


-- == Moderation ==

-- Complaints of users about notes. The reporter is never shown; it limits each to one open report of a note and to some a day.
CREATE TABLE reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  -- Null when the reporter has left.
  reporter_id uuid REFERENCES users ON DELETE SET NULL,
  reported_at timestamptz(3) NOT NULL DEFAULT now(),
  rule text NOT NULL,
  text text,
  -- When moderators decided on the note. Null: open.
  decided_at timestamptz(3)
);
CREATE INDEX reports_open ON reports (note_id, reported_at) WHERE decided_at IS NULL;
CREATE UNIQUE INDEX reports_open_once ON reports (note_id, reporter_id) WHERE decided_at IS NULL;
CREATE INDEX reports_note ON reports (note_id);
CREATE INDEX reports_reporter ON reports (reporter_id, reported_at);

-- Copyright complaints of people without an account. Rows are deleted soon after they are answered.
CREATE TABLE copyright_claims (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Null when the note was deleted.
  note_id uuid REFERENCES notes ON DELETE SET NULL,
  -- The same, also when the note was deleted: the claimant is notified.
  claimed_note_id uuid,
  name text NOT NULL,
  email text NOT NULL,
  text text NOT NULL,
  claimed_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When the claimant was answered. Null: open.
  decided_at timestamptz(3)
);
CREATE INDEX copyright_claims_open ON copyright_claims (note_id, claimed_at) WHERE decided_at IS NULL;
CREATE INDEX copyright_claims_note ON copyright_claims (note_id);
CREATE INDEX copyright_claims_decided ON copyright_claims (decided_at);

-- The author's objection to a hidden note: one, decided on once. The row does not say who the author is.
CREATE TABLE moderation_objections (
  note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE,
  objection text,
  objected_at timestamptz(3),
  objection_decided_at timestamptz(3),
  CHECK ((objection IS NULL) = (objected_at IS NULL) AND (objection_decided_at IS NULL OR objection IS NOT NULL))
);
CREATE INDEX moderation_objections_open ON moderation_objections (objected_at)
  WHERE objected_at IS NOT NULL AND objection_decided_at IS NULL;

-- Questions of moderators to an author, one after the other until the decision, each with its answer.
CREATE TABLE moderation_questions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  question text NOT NULL,
  asked_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  answer text,
  answered_at timestamptz(3),
  CHECK ((answer IS NULL) = (answered_at IS NULL))
);
CREATE INDEX moderation_questions_note ON moderation_questions (note_id, asked_at);
-- The next question waits for the answer.
CREATE UNIQUE INDEX moderation_questions_open ON moderation_questions (note_id) WHERE answered_at IS NULL;

-- Suspended users. A suspension that is over has no effect; a job shows the notes it hid within minutes.
CREATE TABLE suspensions (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  suspended_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null: until it is lifted.
  until timestamptz(3),
  reason text NOT NULL,
  hides_notes boolean NOT NULL
);

-- Suspensions of the author of an anonymous note. Apart from `suspensions`, because nothing may connect the note with its
-- author's name; see docs/decisions/0016-moderation.md.
CREATE TABLE note_author_suspensions (
  note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE,
  suspended_at timestamptz(3) NOT NULL DEFAULT now(),
  until timestamptz(3),
  reason text NOT NULL
);

-- Refuses every change of a log.
CREATE FUNCTION reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME;
END $$;

-- The log of decisions, which all members read. It names no person and no note; the audit log has who decided on what.
CREATE TABLE moderation_decisions (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  decided_at timestamptz(3) NOT NULL DEFAULT now(),
  kind text NOT NULL CHECK (kind IN ('keep', 'correct', 'hide', 'restore', 'uphold')),
  rule text NOT NULL,
  reason text NOT NULL
);
CREATE TRIGGER moderation_decisions_kept BEFORE DELETE OR TRUNCATE ON moderation_decisions
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

-- A reason that names a person can be removed, and nothing else changed.
CREATE FUNCTION reject_change_except_redaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.number, NEW.decided_at, NEW.kind, NEW.rule) IS DISTINCT FROM (OLD.number, OLD.decided_at, OLD.kind, OLD.rule)
     OR NEW.reason IS DISTINCT FROM 'The reason was removed by those who run this library.' THEN
    RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER moderation_decisions_redacted BEFORE UPDATE ON moderation_decisions
  FOR EACH ROW EXECUTE FUNCTION reject_change_except_redaction();


-- == Administration ==

-- Every change of a role and every decision of a moderator. Ids of people have no foreign key, so that entries outlive them;
-- the author of an anonymous note is never in it.
CREATE TABLE audit_entries (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null: the operator, at the command line.
  actor_id uuid,
  action text NOT NULL,
  -- The user or note concerned; null for settings of the instance.
  subject_id uuid,
  details jsonb NOT NULL
);
CREATE TRIGGER audit_entries_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

-- Settings of the instance, in at most one row. Without it, registration is open and the environment's limits hold.
CREATE TABLE instance_settings (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  registration_mode text NOT NULL DEFAULT 'open' CHECK (registration_mode IN ('open', 'domains', 'invited')),
  allowed_email_domains text[] NOT NULL DEFAULT '{}',
  -- Null: the environment's.
  daily_upload_mb integer CHECK (daily_upload_mb > 0),
  announcement_id uuid,
  announcement text,
  announcement_expires_at timestamptz(3),
  CHECK ((announcement_id IS NULL) = (announcement IS NULL) AND (announcement_id IS NULL) = (announcement_expires_at IS NULL))
);

-- Jobs that were waiting when a backup was made. The first start after a restore enqueues them; the queue's own tables are in
-- no backup.
CREATE TABLE restored_jobs (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  data jsonb NOT NULL,
  priority integer NOT NULL,
  singleton_key text,
  start_after timestamptz NOT NULL
);
