-- When an account is to be deleted, and whether its notes go or stay as anonymous ones.
ALTER TABLE users
  ADD COLUMN leaving_at timestamptz(3),
  ADD COLUMN leaving_notes text CHECK (leaving_notes IN ('keep', 'remove')),
  ADD CHECK ((leaving_at IS NULL) = (leaving_notes IS NULL));
CREATE INDEX users_leaving ON users (leaving_at) WHERE leaving_at IS NOT NULL;

-- A note that stayed when its author left is nobody's, and anonymous for ever.
ALTER TABLE notes
  ALTER COLUMN user_id DROP NOT NULL,
  ADD CHECK (user_id IS NOT NULL OR is_anonymous);
