-- What students report. Who it was is told to nobody: it is kept so that each reports a note once, and not too many a day.
CREATE TABLE reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  -- Null when they have left.
  reporter_id uuid REFERENCES users ON DELETE SET NULL,
  reported_at timestamptz(3) NOT NULL DEFAULT now(),
  rule text NOT NULL,
  text text,
  -- When the moderators decided on the note. Null: it waits for them.
  decided_at timestamptz(3),
  UNIQUE (note_id, reporter_id)
);
CREATE INDEX reports_open ON reports (note_id, reported_at) WHERE decided_at IS NULL;
CREATE INDEX reports_reporter ON reports (reporter_id, reported_at);
