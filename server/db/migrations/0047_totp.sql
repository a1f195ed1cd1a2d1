-- Two-factor login: after the password a code of an app (TOTP), or one of ten recovery codes. See
-- docs/decisions/0052-passkeys-and-two-factor.md.
CREATE TABLE totp (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- The secret shared with the app: AES-256-GCM under a key derived from the server's secret, for this account.
  sealed_secret bytea NOT NULL,
  -- The last time step (of 30 s) a code was taken of; no code of it or before it is taken again.
  last_step bigint NOT NULL,
  turned_on_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);

-- A secret that waits for the first code of the app: asked for in a session, and gone with it.
CREATE TABLE totp_setups (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  sealed_secret bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX totp_setups_session ON totp_setups (session_id);

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES totp ON DELETE CASCADE,
  -- argon2id, those of a student with one salt, so that a code is compared with all of them by hashing it once.
  code_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, code_hash)
);

-- That somebody has typed the password, and a code is to follow: for ten minutes and five codes.
CREATE TABLE login_steps (
  -- The SHA-256 hash of the token in its cookie.
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES passwords ON DELETE CASCADE,
  tries_left int NOT NULL CHECK (tries_left >= 0),
  expires_at timestamptz NOT NULL
);
CREATE INDEX login_steps_user ON login_steps (user_id);
CREATE INDEX login_steps_expires ON login_steps (expires_at);

-- Another password voids what the one before has begun.
CREATE FUNCTION drop_login_steps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM login_steps WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER passwords_login_steps AFTER UPDATE OF password_hash ON passwords
  FOR EACH ROW EXECUTE FUNCTION drop_login_steps();

ALTER TABLE alerts DROP CONSTRAINT alerts_kind_check, ADD CONSTRAINT alerts_kind_check CHECK (kind IN
  ('password-changed', 'email-changed', 'new-device', 'leaving', 'passkey-added', 'passkey-removed',
   'two-factor-on', 'two-factor-off', 'recovery-codes-renewed'));
