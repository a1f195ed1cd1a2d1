-- See docs/decisions/0062-moderation-again.md.

-- All that moderators ask about a note until it is decided on, one question after the other. An answer stands beside the
-- question that its author has read.
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
-- The next one waits for the answer.
CREATE UNIQUE INDEX moderation_questions_open ON moderation_questions (note_id) WHERE answered_at IS NULL;
INSERT INTO moderation_questions (note_id, question, asked_at, answer, answered_at)
SELECT note_id, question, asked_at, answer, answered_at FROM moderated_notes WHERE question IS NOT NULL;
ALTER TABLE moderated_notes DROP COLUMN question, DROP COLUMN asked_at, DROP COLUMN answer, DROP COLUMN answered_at;

-- What was decided on may be reported anew.
ALTER TABLE reports DROP CONSTRAINT reports_note_id_reporter_id_key;
CREATE UNIQUE INDEX reports_open_once ON reports (note_id, reporter_id) WHERE decided_at IS NULL;
CREATE INDEX reports_note ON reports (note_id);

-- A reason that names somebody can be taken out of the log, and nothing else be changed in it.
CREATE FUNCTION refuse_change_but_redaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.number, NEW.decided_at, NEW.kind, NEW.rule) IS DISTINCT FROM (OLD.number, OLD.decided_at, OLD.kind, OLD.rule)
     OR NEW.reason IS DISTINCT FROM 'The reason was removed by those who run this library.' THEN
    RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER decisions_kept ON decisions;
CREATE TRIGGER decisions_kept BEFORE DELETE OR TRUNCATE ON decisions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decisions_redacted BEFORE UPDATE ON decisions
  FOR EACH ROW EXECUTE FUNCTION refuse_change_but_redaction();
