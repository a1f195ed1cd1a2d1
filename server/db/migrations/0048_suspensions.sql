-- Accounts that are suspended by their names. One whose time has come is over by itself; the notes it hid follow within minutes.
CREATE TABLE suspensions (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  suspended_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null: until it is lifted.
  until timestamptz(3),
  reason text NOT NULL,
  hides_notes boolean NOT NULL
);

-- Accounts that are suspended behind an anonymous note. Whose it is stands in the note alone: who is suspended so is never put
-- together with who is suspended by name. See docs/decisions/0053-suspension.md.
CREATE TABLE note_suspensions (
  note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE,
  suspended_at timestamptz(3) NOT NULL DEFAULT now(),
  until timestamptz(3),
  reason text NOT NULL
);

-- Hidden because its owner is suspended, and back when that is over. What moderators hide or restore is their own decision.
ALTER TABLE notes
  ADD COLUMN hidden_by_suspension boolean NOT NULL DEFAULT false,
  ADD CHECK (NOT hidden_by_suspension OR hidden_at IS NOT NULL);
CREATE INDEX notes_hidden_by_suspension ON notes (user_id) WHERE hidden_by_suspension;
