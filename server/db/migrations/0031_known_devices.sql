-- Where somebody has logged in before, so that a mail tells of a first login elsewhere. A device is the random name in its
-- cookie, here as an HMAC for the account, so that nobody sees which accounts share one.
CREATE TABLE known_devices (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  device_hash bytea NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, device_hash)
);
CREATE INDEX known_devices_used ON known_devices (last_used_at);
