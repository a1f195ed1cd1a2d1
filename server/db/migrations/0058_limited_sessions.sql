-- Sessions of students who are suspended: they open what lets one read why, take one's notes along and leave. Such a session
-- never becomes another one; see docs/decisions/0070-suspended-and-signed-in.md.
ALTER TABLE sessions ADD COLUMN is_limited boolean NOT NULL DEFAULT false;

-- What servers remember of a session is whether it is limited, too.
DROP TRIGGER sessions_cut_short ON sessions;
CREATE TRIGGER sessions_cut_short AFTER UPDATE ON sessions
  FOR EACH ROW WHEN (
    NEW.expires_at < OLD.expires_at OR NEW.id <> OLD.id OR NEW.user_id <> OLD.user_id OR NEW.is_limited <> OLD.is_limited)
  EXECUTE FUNCTION announce_ended_session();
