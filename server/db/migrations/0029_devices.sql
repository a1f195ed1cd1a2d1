-- What a student is shown of their sessions: on what device, as far as it says (null where it does not), and until when it
-- was used, as of the last refresh.
ALTER TABLE sessions
  ADD COLUMN device text,
  ADD COLUMN last_used_at timestamptz(3) NOT NULL DEFAULT now();

-- More that an owner is told of: a first login on a device, another e-mail, and that the account will be deleted.
ALTER TABLE alerts
  DROP CONSTRAINT alerts_kind_check,
  ADD CHECK (kind IN ('password-changed', 'email-changed', 'new-device', 'leaving')),
  -- Where somebody logged in, as far as the device says.
  ADD COLUMN device text;
