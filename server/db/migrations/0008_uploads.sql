-- Uploads of the last day: how many a student has under way, and how much has been kept.
CREATE TABLE uploads (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- What was announced while it is under way, then what was kept. One that failed has no row.
  bytes bigint NOT NULL,
  -- Null when it is over. One whose server died is over when this has passed, and kept nothing.
  under_way_until timestamptz
);
CREATE INDEX uploads_user ON uploads (user_id, started_at);
CREATE INDEX uploads_started ON uploads (started_at);
