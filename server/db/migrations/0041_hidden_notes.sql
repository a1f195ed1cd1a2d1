-- A note that moderators have hidden: by which rule of the house and why, as its owner is told. See
-- docs/decisions/0049-hidden-notes.md.
ALTER TABLE notes
  ADD COLUMN hidden_at timestamptz(3),
  ADD COLUMN hidden_rule text,
  ADD COLUMN hidden_reason text,
  ADD CHECK ((hidden_at IS NULL) = (hidden_rule IS NULL) AND (hidden_at IS NULL) = (hidden_reason IS NULL));
CREATE INDEX notes_hidden ON notes (hidden_at DESC, id) WHERE hidden_at IS NOT NULL;

-- The indexes of lists hold the notes that lists show, so that nothing hidden is ever passed over, and what an index alone
-- answered still needs no more than the index. One's own notes and those found by words are looked at in the table anyway.
DROP INDEX notes_newest, notes_most_liked, notes_year, notes_course_year, notes_course_newest, notes_course_liked,
  notes_course_instructor, notes_by_name_newest, notes_by_name_liked;
CREATE INDEX notes_newest ON notes (created_at DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX notes_most_liked ON notes (likes DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX notes_year ON notes (academic_year, created_at DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX notes_course_year ON notes (course_key, academic_year, created_at DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX notes_course_newest ON notes (course_key, created_at DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX notes_course_liked ON notes (course_key, likes DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX notes_course_instructor ON notes (course_key, instructor_words, created_at DESC, id DESC)
  WHERE hidden_at IS NULL;
CREATE INDEX notes_by_name_newest ON notes (user_id, created_at DESC, id DESC)
  WHERE NOT is_anonymous AND hidden_at IS NULL;
CREATE INDEX notes_by_name_liked ON notes (user_id, likes DESC, id DESC) WHERE NOT is_anonymous AND hidden_at IS NULL;

-- What is found by words has no hidden note: its entry goes, and comes back with the words it has by then.
CREATE FUNCTION change_search_entry_of_hidden_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_search_entry(NEW.document_id);
  DELETE FROM search_entries WHERE note_id = NEW.id;
  IF NEW.hidden_at IS NULL THEN
    INSERT INTO search_entries SELECT entry.* FROM search_entry_of(NEW) AS entry;
    PERFORM learn_words(tsvector_to_array(ranked)) FROM search_entries WHERE note_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_hidden_search AFTER UPDATE OF hidden_at ON notes
  FOR EACH ROW WHEN ((OLD.hidden_at IS NULL) <> (NEW.hidden_at IS NULL))
  EXECUTE FUNCTION change_search_entry_of_hidden_note();

-- Nor do suggestions and the counts of courses, which are made of them.
CREATE OR REPLACE FUNCTION suggestions_of(n notes, change integer)
RETURNS TABLE (kind text, text text, key text, words tsvector, change integer) LANGUAGE sql IMMUTABLE AS $$
  SELECT s.* FROM (
    VALUES ('course', n.course_code, n.course_key::text, n.course_words, change),
           ('title', n.title, array_to_string(tsvector_to_array(n.title_words), ' '), n.title_words, change),
           ('instructor', n.instructor, array_to_string(tsvector_to_array(n.instructor_words), ' '), n.instructor_words, change)
    ) AS s
   WHERE n.hidden_at IS NULL
$$;
DROP TRIGGER note_updated_suggestions ON notes;
CREATE TRIGGER note_updated_suggestions
  AFTER UPDATE OF title, course_code, instructor, title_words, course_words, instructor_words, hidden_at ON notes
  FOR EACH ROW
  WHEN ((OLD.title, OLD.course_code, OLD.instructor, OLD.title_words, OLD.course_words, OLD.instructor_words, OLD.hidden_at)
        IS DISTINCT FROM
        (NEW.title, NEW.course_code, NEW.instructor, NEW.title_words, NEW.course_words, NEW.instructor_words, NEW.hidden_at))
  EXECUTE FUNCTION count_suggestions();
