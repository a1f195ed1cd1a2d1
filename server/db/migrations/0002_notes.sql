CREATE TABLE notes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  title text NOT NULL,
  course_code text NOT NULL,
  academic_year text NOT NULL,
  instructor text,
  is_anonymous boolean NOT NULL,
  -- Milliseconds, as in the JSON, so that a cursor compares exactly.
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  likes integer NOT NULL DEFAULT 0 CHECK (likes >= 0),
  dislikes integer NOT NULL DEFAULT 0 CHECK (dislikes >= 0),

  -- What a search compares with, folded by server/search/fold.ts.
  course_key text NOT NULL COLLATE "C",
  title_words tsvector NOT NULL,
  instructor_words tsvector NOT NULL,

  -- A random key in the file storage. It changes with the file's bytes and says nothing about them.
  file_key text NOT NULL UNIQUE,
  file_bytes bigint NOT NULL,
  file_sha256 bytea NOT NULL
);

-- The two sort orders, of all notes and of one's own.
CREATE INDEX notes_newest ON notes (created_at DESC, id DESC);
CREATE INDEX notes_most_liked ON notes (likes DESC, id DESC);
CREATE INDEX notes_mine_newest ON notes (user_id, created_at DESC, id DESC);
CREATE INDEX notes_course ON notes (course_key, created_at DESC, id DESC);
CREATE INDEX notes_title ON notes USING gin (title_words);
CREATE INDEX notes_instructor ON notes USING gin (instructor_words);

CREATE TABLE ratings (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  liked boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, note_id)
);
CREATE INDEX ratings_note ON ratings (note_id);
CREATE INDEX ratings_liked ON ratings (user_id, created_at DESC) WHERE liked;

CREATE TABLE recently_viewed (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  -- 0 is the note viewed last.
  position integer NOT NULL,
  PRIMARY KEY (user_id, note_id)
);
CREATE INDEX recently_viewed_note ON recently_viewed (note_id);

-- Files to be removed at `due_at` unless a note has claimed them by then. A row is written before the first byte
-- of a file and deleted in the transaction that inserts its note, and written again in the one that deletes the
-- note: whatever dies in between, the sweep finds the file, and no storage has to be listed.
CREATE TABLE file_removals (
  file_key text PRIMARY KEY,
  due_at timestamptz NOT NULL
);
CREATE INDEX file_removals_due ON file_removals (due_at);
