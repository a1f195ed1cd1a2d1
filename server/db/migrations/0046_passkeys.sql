-- Passkeys: another way to prove who one is, beside the password. See docs/decisions/0052-passkeys-and-two-factor.md.

-- What an authenticator knows a student by: random, so that it says nothing of the account.
CREATE TABLE passkey_owners (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  handle bytea NOT NULL UNIQUE
);

CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES passkey_owners ON DELETE CASCADE,
  -- What the authenticator calls it, and what its signatures are checked with (COSE).
  credential_id bytea NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- How often it has signed, as far as the authenticator counts; one that is kept in several places always says 0.
  sign_count bigint NOT NULL,
  -- How a browser reaches it, as the authenticator said: `internal`, `usb`, …
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE INDEX passkeys_user ON passkeys (user_id, created_at);

-- What an authenticator has to sign: once, for one purpose, and soon. Adding is asked for in a session, and ends with it.
CREATE TABLE passkey_challenges (
  -- The SHA-256 hash of the challenge.
  challenge_hash bytea PRIMARY KEY,
  -- Where a passkey is to be added; null: to log in, by whoever it will turn out to be.
  session_id uuid REFERENCES sessions ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expires ON passkey_challenges (expires_at);
CREATE INDEX passkey_challenges_session ON passkey_challenges (session_id);

ALTER TABLE alerts DROP CONSTRAINT alerts_kind_check, ADD CONSTRAINT alerts_kind_check CHECK (kind IN
  ('password-changed', 'email-changed', 'new-device', 'leaving', 'passkey-added', 'passkey-removed'));
