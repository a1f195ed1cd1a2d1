-- What a student takes along: one file of theirs at a time, made by a job and kept for some days.
CREATE TABLE exports (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- What the job names; another wish is another one.
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  asked_at timestamptz(3) NOT NULL DEFAULT now(),
  -- All three null until it is made.
  file_key text UNIQUE,
  bytes bigint,
  expires_at timestamptz(3),
  CHECK ((file_key IS NULL) = (bytes IS NULL) AND (file_key IS NULL) = (expires_at IS NULL))
);
CREATE INDEX exports_expires ON exports (expires_at);

-- However it goes, with its student too, its file is written down for the sweep.
CREATE TRIGGER export_deleted AFTER DELETE ON exports
  FOR EACH ROW WHEN (OLD.file_key IS NOT NULL) EXECUTE FUNCTION release_file_of_document();
