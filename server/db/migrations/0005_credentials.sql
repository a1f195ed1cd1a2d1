-- What somebody may do beyond a student's own affairs. Nobody is given another role yet.
ALTER TABLE users ADD COLUMN role text NOT NULL DEFAULT 'student' CHECK (role IN ('student', 'moderator', 'admin'));

-- How a user proves who they are, apart from who they are: by a password or, later, by an identity elsewhere.
CREATE TABLE passwords (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  password_hash text NOT NULL
);
INSERT INTO passwords (user_id, password_hash) SELECT id, password_hash FROM users;
ALTER TABLE users DROP COLUMN password_hash;
