-- What people without an account say against a note. Their names and addresses go soon after they are answered.
CREATE TABLE copyright_claims (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Null: the note has been deleted.
  note_id uuid REFERENCES notes ON DELETE SET NULL,
  name text NOT NULL,
  email text NOT NULL,
  text text NOT NULL,
  claimed_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When its sender was answered. Null: it waits for the moderators.
  decided_at timestamptz(3)
);
CREATE INDEX copyright_claims_open ON copyright_claims (note_id, claimed_at) WHERE decided_at IS NULL;
CREATE INDEX copyright_claims_note ON copyright_claims (note_id);
CREATE INDEX copyright_claims_decided ON copyright_claims (decided_at);
