-- What the search inside the notes looks in. Words are folded by server/words/, which also counts the versions of its
-- rules: rows of an older version are folded again by the job of server/words/refold.jobs.ts.
ALTER TABLE notes
  ADD COLUMN course_words tsvector NOT NULL DEFAULT '',
  ADD COLUMN fold_version integer NOT NULL DEFAULT 0;
CREATE INDEX notes_fold_version ON notes (fold_version);
ALTER TABLE document_pages
  -- The words of the page in their order, a blank around each; after a `|` what is found besides, such as `c++`.
  ADD COLUMN words text NOT NULL DEFAULT '',
  ADD COLUMN fold_version integer NOT NULL DEFAULT 0;
CREATE INDEX document_pages_fold_version ON document_pages (fold_version);

-- One row a note.
CREATE TABLE search_entries (
  note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE,
  -- Everything it is found by: words of its text as they are, those of title, course and instructor behind a `!`, and
  -- what its text is about behind a `*`. In one column, so that an index alone says which notes have all of several words.
  words tsvector NOT NULL,
  -- For the order of what is found, and short, so that it is read with the row: title A, course B, instructor C, and
  -- what the text is about D.
  ranked tsvector NOT NULL
);
-- Words of a text come in by the thousand; a list of pending ones would be walked by every search.
CREATE INDEX search_entries_words ON search_entries USING gin (words) WITH (fastupdate = off);

-- The words of title, course and instructor and what texts are about, for typing errors: what was typed is one error away
-- if the two have a form in common, which is the word itself or the word without one of its letters. A word that no note
-- has any more finds nothing; the refold job removes it.
CREATE TABLE known_words (
  word text PRIMARY KEY COLLATE "C"
);
CREATE TABLE known_word_forms (
  form text NOT NULL COLLATE "C",
  word text NOT NULL COLLATE "C" REFERENCES known_words ON DELETE CASCADE,
  PRIMARY KEY (form, word)
);
CREATE INDEX known_word_forms_word ON known_word_forms (word);

CREATE FUNCTION learn_words(learnt text[]) RETURNS void LANGUAGE sql AS $$
  WITH new_words AS (
    INSERT INTO known_words
    SELECT DISTINCT word FROM unnest(learnt) AS word WHERE char_length(word) BETWEEN 4 AND 24 ORDER BY word
    ON CONFLICT DO NOTHING RETURNING word)
  INSERT INTO known_word_forms
  SELECT word, word FROM new_words
  UNION
  SELECT left(word, place - 1) || substr(word, place + 1), word
    FROM new_words, generate_series(1, char_length(word)) AS place
  ON CONFLICT DO NOTHING
$$;

-- PostgreSQL takes a megabyte of words in one tsvector: of longer texts the rarest words are left out.
CREATE FUNCTION words_of_text(of_document uuid, OUT words text[], OUT topics text[]) LANGUAGE sql STABLE AS $$
  WITH counted AS (
    SELECT word, count(*) AS times
      FROM document_pages p, string_to_table(p.words, ' ') AS word
     WHERE p.document_id = of_document AND word NOT IN ('', '|')
     GROUP BY word),
  measured AS (
    SELECT word, times, sum(octet_length(word) + 4) OVER (ORDER BY times DESC, word) AS bytes,
           CASE WHEN times > 1 AND char_length(word) >= 4
                THEN row_number() OVER (PARTITION BY char_length(word) >= 4 ORDER BY times DESC, word) END AS topic
      FROM counted)
  SELECT coalesce(array_agg(word), '{}'), coalesce(array_agg(word) FILTER (WHERE topic <= 48), '{}')
    FROM measured WHERE bytes < 800000
$$;

-- Words are letters, digits and signs that need no quoting inside of quotes. Only what has a place has a weight.
CREATE FUNCTION search_entry_of(n notes) RETURNS search_entries LANGUAGE plpgsql AS $$
DECLARE
  head tsvector := setweight(n.title_words, 'A') || setweight(n.course_words, 'B') || setweight(n.instructor_words, 'C');
  content record;
BEGIN
  -- A new note has no text yet, and there may be many of them at once.
  IF NOT EXISTS (SELECT FROM document_pages WHERE document_id = n.document_id) THEN
    RETURN ROW (n.id, array_to_tsvector(ARRAY(SELECT '!' || word FROM unnest(tsvector_to_array(head)) AS word)), head)::search_entries;
  END IF;
  SELECT * INTO content FROM words_of_text(n.document_id);
  RETURN ROW (
    n.id,
    array_to_tsvector(content.words
      || ARRAY(SELECT '!' || word FROM unnest(tsvector_to_array(head)) AS word)
      || ARRAY(SELECT '*' || word FROM unnest(content.topics) AS word)),
    head || (SELECT coalesce(string_agg(format('''%s'':1', word), ' '), '') FROM unnest(content.topics) AS word)::tsvector
  )::search_entries;
END $$;

CREATE FUNCTION insert_search_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_entries SELECT entry.* FROM new_notes n, search_entry_of(n) AS entry;
  PERFORM learn_words(array_agg(DISTINCT word))
    FROM new_notes n JOIN search_entries e ON e.note_id = n.id, unnest(tsvector_to_array(e.ranked)) AS word;
  RETURN NULL;
END $$;
CREATE TRIGGER notes_inserted_search AFTER INSERT ON notes
  REFERENCING NEW TABLE AS new_notes FOR EACH STATEMENT EXECUTE FUNCTION insert_search_entries();

-- A note's details and its text may change at once, in two transactions. Whoever comes second waits here, and its next
-- statement sees what the first one did.
CREATE FUNCTION lock_search_entry(of_document uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(of_document::text, 0))
$$;

CREATE FUNCTION update_search_entry(n notes) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry search_entries := search_entry_of(n);
BEGIN
  UPDATE search_entries SET words = entry.words, ranked = entry.ranked WHERE note_id = entry.note_id;
  PERFORM learn_words(tsvector_to_array(entry.ranked));
END $$;

CREATE FUNCTION update_search_entry_of_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_search_entry(NEW.document_id);
  PERFORM update_search_entry(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER note_updated_search AFTER UPDATE OF title_words, course_words, instructor_words, document_id ON notes
  FOR EACH ROW
  WHEN ((OLD.title_words, OLD.course_words, OLD.instructor_words, OLD.document_id)
        IS DISTINCT FROM (NEW.title_words, NEW.course_words, NEW.instructor_words, NEW.document_id))
  EXECUTE FUNCTION update_search_entry_of_note();

CREATE FUNCTION update_search_entries_of_pages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid;
  n notes;
BEGIN
  -- Without a note a document is going, and so are its pages.
  FOR changed IN SELECT id FROM (SELECT DISTINCT document_id AS id FROM changed_pages) c
                  WHERE EXISTS (SELECT FROM notes WHERE document_id = c.id) ORDER BY id LOOP
    PERFORM lock_search_entry(changed);
    SELECT * INTO n FROM notes WHERE document_id = changed;
    CONTINUE WHEN NOT FOUND;
    -- An entry that is locked is going too: whoever changes one holds the lock above. Waiting here for a deletion, which
    -- waits for the document, would end in a deadlock.
    PERFORM FROM search_entries WHERE note_id = n.id FOR UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    PERFORM update_search_entry(n);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER pages_inserted_search AFTER INSERT ON document_pages
  REFERENCING NEW TABLE AS changed_pages FOR EACH STATEMENT EXECUTE FUNCTION update_search_entries_of_pages();
CREATE TRIGGER pages_updated_search AFTER UPDATE ON document_pages
  REFERENCING NEW TABLE AS changed_pages FOR EACH STATEMENT EXECUTE FUNCTION update_search_entries_of_pages();
CREATE TRIGGER pages_deleted_search AFTER DELETE ON document_pages
  REFERENCING OLD TABLE AS changed_pages FOR EACH STATEMENT EXECUTE FUNCTION update_search_entries_of_pages();

INSERT INTO search_entries SELECT entry.* FROM notes n, search_entry_of(n) AS entry;
SELECT learn_words(array_agg(DISTINCT word)) FROM search_entries, unnest(tsvector_to_array(ranked)) AS word;
