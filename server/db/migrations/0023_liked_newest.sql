-- The notes somebody likes, the newest first, which is another order than that of the likes. When a note was made never
-- changes.
ALTER TABLE ratings ADD COLUMN note_created_at timestamptz(3) NOT NULL DEFAULT now();
UPDATE ratings r SET note_created_at = n.created_at FROM notes n WHERE n.id = r.note_id;

CREATE FUNCTION set_note_created_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT created_at INTO NEW.note_created_at FROM notes WHERE id = NEW.note_id;
  RETURN NEW;
END $$;
CREATE TRIGGER rating_inserted BEFORE INSERT ON ratings FOR EACH ROW EXECUTE FUNCTION set_note_created_at();

CREATE INDEX ratings_liked_newest ON ratings (user_id, note_created_at DESC, note_id DESC) WHERE liked;
