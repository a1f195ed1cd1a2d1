-- Servers remember who has a living session, and are told here, whoever ends one: see server/db/announcements.ts. One that
-- is over by itself needs no telling, since its end is remembered with it.
CREATE FUNCTION announce_ended_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.expires_at > now() THEN
    PERFORM pg_notify('lectern_sessions', 'session ' || OLD.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_ended AFTER DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION announce_ended_session();
CREATE TRIGGER sessions_cut_short AFTER UPDATE ON sessions
  FOR EACH ROW WHEN (NEW.expires_at < OLD.expires_at OR NEW.id <> OLD.id OR NEW.user_id <> OLD.user_id)
  EXECUTE FUNCTION announce_ended_session();

CREATE FUNCTION announce_all_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NOTIFY lectern_sessions, 'all';
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_emptied AFTER TRUNCATE ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_sessions();

CREATE FUNCTION announce_changed_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('lectern_sessions', 'user ' || OLD.id);
  RETURN NULL;
END $$;
CREATE TRIGGER users_role_changed AFTER UPDATE ON users
  FOR EACH ROW WHEN (NEW.role IS DISTINCT FROM OLD.role OR NEW.id <> OLD.id)
  EXECUTE FUNCTION announce_changed_role();
