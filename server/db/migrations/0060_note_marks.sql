-- Older servers: from 0.1.0, which write notes as before: what is new on that table but leaves marks in another.
-- Whether lists by date may have notes that they had not, or in other places: each transaction that makes it so leaves a mark that
-- nothing else had, and who reads sees the marks of what they see. A row for each process of PostgreSQL, so that no writer
-- waits for another. See docs/decisions/0076-remembered-searches.md.
CREATE TABLE note_marks (
  backend integer PRIMARY KEY,
  mark bigint NOT NULL
) WITH (fillfactor = 50);

CREATE FUNCTION new_note_mark() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT hashtextextended(gen_random_uuid()::text, 0)
$$;
-- Of no process: what was marked before.
INSERT INTO note_marks VALUES (0, new_note_mark());

CREATE FUNCTION mark_notes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO note_marks VALUES (pg_backend_pid(), new_note_mark())
  ON CONFLICT (backend) DO UPDATE SET mark = excluded.mark;
  RETURN NULL;
END $$;
-- Whatever searches ask of a note, and where lists have it. A column counts where a statement names it, changed or not.
CREATE TRIGGER notes_marked
  AFTER INSERT OR UPDATE OF title_words, instructor_words, course_key, academic_year, created_at, hidden_at ON notes
  FOR EACH STATEMENT EXECUTE FUNCTION mark_notes();
