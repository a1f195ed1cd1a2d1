-- A document is read by jobs of two kinds; what they have tried is known here, so that a file that ends its whole server
-- counts too.
ALTER TABLE documents
  -- How often a process has begun with the file. It is given up after three.
  ADD COLUMN text_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN picture_tries integer NOT NULL DEFAULT 0,
  -- When its jobs were asked for. Null: never, the document came before there were such jobs.
  ADD COLUMN asked_at timestamptz;
ALTER TABLE documents ALTER COLUMN asked_at SET DEFAULT now();

-- Where the sweep finds what nobody has asked for, and whose jobs were lost: oldest first.
DROP INDEX documents_unread;
CREATE INDEX documents_unread ON documents (asked_at NULLS FIRST)
  WHERE text_state IN ('none', 'waiting') OR picture_state IN ('none', 'waiting');
