-- What admins set for everybody, in at most one row. Without it everybody may register, and the environment's limits hold.
CREATE TABLE house_settings (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  registration text NOT NULL DEFAULT 'open' CHECK (registration IN ('open', 'domains', 'invited')),
  email_domains text[] NOT NULL DEFAULT '{}',
  -- Null: the environment's.
  daily_upload_mb integer CHECK (daily_upload_mb > 0),
  announcement_id uuid,
  announcement text,
  announced_until timestamptz(3),
  CHECK ((announcement_id IS NULL) = (announcement IS NULL) AND (announcement_id IS NULL) = (announced_until IS NULL))
);

-- Each lets one person register, whoever else may.
CREATE TABLE invitations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The SHA-256 of what its link carries. Null: it is yet to be mailed.
  token_hash bytea UNIQUE,
  -- Null: its link was given to the admin.
  email text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  -- When it became an account.
  used_at timestamptz(3)
);
CREATE INDEX invitations_expires ON invitations (expires_at);
ALTER TABLE registrations ADD COLUMN invitation_id uuid REFERENCES invitations ON DELETE SET NULL;
CREATE INDEX registrations_invitation ON registrations (invitation_id);

-- What single students may upload in 24 hours, where it is not what all may.
CREATE TABLE upload_quotas (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  daily_mb integer NOT NULL CHECK (daily_mb > 0)
);

-- What is set for everybody is done to nobody.
ALTER TABLE audit_entries ALTER COLUMN subject_id DROP NOT NULL;
