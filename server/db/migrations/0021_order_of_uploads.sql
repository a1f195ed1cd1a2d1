-- Where a note stands among its owner's own, for its owner alone: files of one upload in the order in which they were
-- chosen, whichever arrived first. Null: by `created_at`.
ALTER TABLE notes ADD COLUMN listed_at timestamptz(3);
DROP INDEX notes_mine_newest;
CREATE INDEX notes_mine_newest ON notes (user_id, coalesce(listed_at, created_at) DESC, id DESC);

-- When an upload of several requests began. Swept after a day: what belongs together is not kept.
CREATE TABLE upload_batches (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  id uuid NOT NULL,
  began_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, id)
);
CREATE INDEX upload_batches_began ON upload_batches (began_at);
