-- Courses, titles and instructors that notes have, each spelling with the number of its notes, for suggestions while one
-- types. What no note has any more is gone with its last note.
CREATE TABLE suggestions (
  kind text NOT NULL CHECK (kind IN ('course', 'title', 'instructor')),
  text text NOT NULL,
  -- The same for spellings that are one: of a course without blanks and hyphens, else the folded words.
  key text NOT NULL COLLATE "C",
  words tsvector NOT NULL,
  notes integer NOT NULL,
  PRIMARY KEY (kind, text)
);
CREATE INDEX suggestions_frequent ON suggestions (kind, notes DESC, text);
CREATE INDEX suggestions_key ON suggestions (kind, key);
CREATE INDEX suggestions_words ON suggestions USING gin (words) WITH (fastupdate = off);

CREATE FUNCTION suggestions_of(n notes, change integer)
RETURNS TABLE (kind text, text text, key text, words tsvector, change integer) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('course', n.course_code, n.course_key::text, n.course_words, change),
         ('title', n.title, array_to_string(tsvector_to_array(n.title_words), ' '), n.title_words, change),
         ('instructor', n.instructor, array_to_string(tsvector_to_array(n.instructor_words), ' '), n.instructor_words, change)
$$;

-- Rows are locked in one order, so that two uploads of the same titles do not wait for one another.
CREATE FUNCTION count_suggestions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO suggestions
    SELECT s.kind, s.text, (array_agg(s.key))[1], (array_agg(s.words))[1], sum(s.change)
      FROM changed_notes n, suggestions_of(n, 1) AS s WHERE s.text IS NOT NULL
     GROUP BY s.kind, s.text ORDER BY s.kind, s.text
    ON CONFLICT ON CONSTRAINT suggestions_pkey
    DO UPDATE SET notes = suggestions.notes + EXCLUDED.notes, key = EXCLUDED.key, words = EXCLUDED.words;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO suggestions
    SELECT s.kind, s.text, (array_agg(s.key))[1], (array_agg(s.words))[1], sum(s.change)
      FROM changed_notes n, suggestions_of(n, -1) AS s WHERE s.text IS NOT NULL
     GROUP BY s.kind, s.text ORDER BY s.kind, s.text
    ON CONFLICT ON CONSTRAINT suggestions_pkey DO UPDATE SET notes = suggestions.notes + EXCLUDED.notes;
    DELETE FROM suggestions d USING changed_notes n, suggestions_of(n, 0) AS s
     WHERE d.kind = s.kind AND d.text = s.text AND d.notes <= 0;
  ELSE
    INSERT INTO suggestions
    SELECT s.kind, s.text, (array_agg(s.key ORDER BY s.change))[count(*)],
           (array_agg(s.words ORDER BY s.change))[count(*)], sum(s.change)
      FROM (SELECT * FROM suggestions_of(OLD, -1) UNION ALL SELECT * FROM suggestions_of(NEW, 1)) AS s
     WHERE s.text IS NOT NULL GROUP BY s.kind, s.text ORDER BY s.kind, s.text
    ON CONFLICT ON CONSTRAINT suggestions_pkey
    DO UPDATE SET notes = suggestions.notes + EXCLUDED.notes, key = EXCLUDED.key, words = EXCLUDED.words;
    DELETE FROM suggestions d USING suggestions_of(OLD, 0) AS s
     WHERE d.kind = s.kind AND d.text = s.text AND d.notes <= 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER notes_inserted_suggestions AFTER INSERT ON notes
  REFERENCING NEW TABLE AS changed_notes FOR EACH STATEMENT EXECUTE FUNCTION count_suggestions();
CREATE TRIGGER notes_deleted_suggestions AFTER DELETE ON notes
  REFERENCING OLD TABLE AS changed_notes FOR EACH STATEMENT EXECUTE FUNCTION count_suggestions();
CREATE TRIGGER note_updated_suggestions AFTER UPDATE OF title, course_code, instructor, title_words, course_words, instructor_words ON notes
  FOR EACH ROW
  WHEN ((OLD.title, OLD.course_code, OLD.instructor, OLD.title_words, OLD.course_words, OLD.instructor_words)
        IS DISTINCT FROM (NEW.title, NEW.course_code, NEW.instructor, NEW.title_words, NEW.course_words, NEW.instructor_words))
  EXECUTE FUNCTION count_suggestions();

INSERT INTO suggestions
SELECT s.kind, s.text, (array_agg(s.key))[1], (array_agg(s.words))[1], sum(s.change)
  FROM notes n, suggestions_of(n, 1) AS s WHERE s.text IS NOT NULL GROUP BY s.kind, s.text;
