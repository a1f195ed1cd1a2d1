-- What is made of a document once its note is kept: its text by page, its outline, a picture of its first page. Text and
-- picture are made by jobs of their own and can fail alone: `none` until a job is asked for (documents that came before),
-- `waiting` until it is done, `parked` when it was given up, with the reason; `empty` when there is no text to be read.
ALTER TABLE documents
  DROP COLUMN state,
  ADD COLUMN text_state text NOT NULL DEFAULT 'none' CHECK (text_state IN ('none', 'waiting', 'done', 'empty', 'parked')),
  ADD COLUMN text_problem text,
  ADD COLUMN picture_state text NOT NULL DEFAULT 'none' CHECK (picture_state IN ('none', 'waiting', 'done', 'parked')),
  ADD COLUMN picture_problem text,
  -- The headings that the file names, as `[{ title, page, depth }]`. Null until the text is read.
  ADD COLUMN outline jsonb;
ALTER TABLE documents ALTER COLUMN text_state SET DEFAULT 'waiting', ALTER COLUMN picture_state SET DEFAULT 'waiting';
CREATE INDEX documents_unread ON documents (id) WHERE text_state IN ('none', 'waiting') OR picture_state IN ('none', 'waiting');

CREATE TABLE document_pages (
  document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
  -- From 1.
  page integer NOT NULL CHECK (page > 0),
  text text NOT NULL,
  -- Where the words were recognised on a picture: `[{ text, box: [left, top, width, height] }]`, in parts of the page.
  recognised jsonb,
  PRIMARY KEY (document_id, page)
);

-- The picture of the first page that is not blank, in two sizes. Its files go as a document's own file does.
CREATE TABLE thumbnails (
  document_id uuid PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  -- Random, in the picture's address: who knows it may see the picture, and a new picture has a new one.
  key text NOT NULL UNIQUE,
  small_file_key text NOT NULL UNIQUE,
  large_file_key text NOT NULL UNIQUE
);
CREATE FUNCTION release_files_of_thumbnail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_removals (file_key, due_at) VALUES (OLD.small_file_key, now()), (OLD.large_file_key, now());
  RETURN NULL;
END $$;
CREATE TRIGGER thumbnail_deleted AFTER DELETE ON thumbnails
  FOR EACH ROW EXECUTE FUNCTION release_files_of_thumbnail();

-- Where a student stopped reading.
CREATE TABLE reading_positions (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  page integer NOT NULL CHECK (page > 0),
  read_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, note_id)
);
CREATE INDEX reading_positions_note ON reading_positions (note_id);
