-- What a student is shown of their sessions: on what device, as far as it says (null where it does not), and until when it
-- was used, as of the last refresh.
ALTER TABLE sessions
  ADD COLUMN device text,
  ADD COLUMN last_used_at timestamptz(3) NOT NULL DEFAULT now();
