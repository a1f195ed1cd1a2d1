-- A person who has proved to own the e-mail address. Who has only registered stands in `registrations`.
CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  password_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- What somebody typed into the registration form. It becomes a user when its own link is used, so that a
-- registration made by a stranger for the same address never decides the password of the account.
CREATE TABLE registrations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  email text NOT NULL CHECK (email = lower(email)),
  password_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The account it became. Kept for as long as its link may be clicked a second time.
  user_id uuid REFERENCES users ON DELETE CASCADE
);
CREATE INDEX registrations_email ON registrations (email, created_at DESC);
CREATE INDEX registrations_user ON registrations (user_id);
CREATE INDEX registrations_created ON registrations (created_at);

-- Tokens of mailed links, as SHA-256 hashes. A verification token names a registration, a reset token a user.
CREATE TABLE account_tokens (
  token_hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('verify', 'reset')),
  registration_id uuid REFERENCES registrations ON DELETE CASCADE,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  CHECK ((purpose = 'verify') = (registration_id IS NOT NULL)),
  CHECK ((purpose = 'reset') = (user_id IS NOT NULL))
);
CREATE INDEX account_tokens_registration ON account_tokens (registration_id);
CREATE INDEX account_tokens_user ON account_tokens (user_id);

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Slides with every refresh. Ending a session deletes it.
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expires ON sessions (expires_at);

-- Every refresh token a living session has had, as SHA-256 hashes, so that the reuse of an old one is noticed.
CREATE TABLE refresh_tokens (
  token_hash bytea PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  rotated_at timestamptz
);
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);
