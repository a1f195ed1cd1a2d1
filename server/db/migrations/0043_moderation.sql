-- What moderators and the author of a note have to say to each other. Who the author is stands here as little as in the
-- note's answers.
CREATE TABLE moderated_notes (
  note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE,
  -- What the author was asked before a decision, and what they said.
  question text,
  asked_at timestamptz(3),
  answer text,
  answered_at timestamptz(3),
  -- What the author has to say against the note being hidden: once, and decided on once.
  objection text,
  objected_at timestamptz(3),
  objection_decided_at timestamptz(3),
  CHECK ((question IS NULL) = (asked_at IS NULL)),
  CHECK ((answer IS NULL) = (answered_at IS NULL) AND (answer IS NULL OR question IS NOT NULL)),
  CHECK ((objection IS NULL) = (objected_at IS NULL) AND (objection_decided_at IS NULL OR objection IS NOT NULL))
);
CREATE INDEX moderated_notes_objected ON moderated_notes (objected_at)
  WHERE objected_at IS NOT NULL AND objection_decided_at IS NULL;

-- The log that all members read. No person and no note stands here; who decided on which note is in the audit log.
CREATE TABLE decisions (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  decided_at timestamptz(3) NOT NULL DEFAULT now(),
  kind text NOT NULL CHECK (kind IN ('keep', 'correct', 'hide', 'restore', 'uphold')),
  rule text NOT NULL,
  reason text NOT NULL
);
CREATE TRIGGER decisions_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON decisions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
