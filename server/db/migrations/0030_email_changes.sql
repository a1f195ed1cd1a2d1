-- The e-mail an account is to have once its mailbox has proved itself: the newest wish alone. Whether another account has
-- it is seen nowhere in this row, which its student is shown.
CREATE TABLE email_changes (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- What the mail's job names; another wish is another one.
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  email text NOT NULL CHECK (email = lower(email)),
  expires_at timestamptz(3) NOT NULL,
  -- The SHA-256 hash of the link's token; null until the mail is written, and where none is.
  token_hash bytea UNIQUE,
  -- Kept for as long as the link may be clicked a second time.
  confirmed_at timestamptz
);
CREATE INDEX email_changes_expires ON email_changes (expires_at);
