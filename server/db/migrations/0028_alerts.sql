-- What the owner of an account was told by mail and may say was not them, by the link in that mail: written with what
-- happened, in the same transaction.
CREATE TABLE alerts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The order in which things happened to an account: whoever was told first has the older right to it.
  number bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('password-changed', 'email-changed', 'new-device', 'leaving')),
  -- Where it goes: the address of the account when it happened.
  email text NOT NULL,
  -- Where somebody logged in, as far as the device says.
  device text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The SHA-256 hash of the link's token, and until when it works. Null until the mail is written.
  token_hash bytea UNIQUE,
  expires_at timestamptz,
  CHECK ((token_hash IS NULL) = (expires_at IS NULL))
);
CREATE INDEX alerts_user ON alerts (user_id, number);
CREATE INDEX alerts_created ON alerts (created_at);
