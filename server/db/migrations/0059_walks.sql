-- What filters of lists look at, in the order of the lists: a search that walks the newest or the most liked notes reads
-- these indexes and no notes but those it finds. See docs/decisions/0072-walks-along-an-index.md.
--
-- An entry of an index has to fit into a third of a page. Notes of very many words have indexes without them.
CREATE FUNCTION has_few_words(title_words tsvector, instructor_words tsvector, course_key text)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT octet_length(title_words::text) + octet_length(instructor_words::text) + octet_length(course_key) <= 1000
$$;
CREATE INDEX notes_walk_newest ON notes (created_at DESC, id DESC)
  INCLUDE (title_words, instructor_words, course_key, academic_year)
  WHERE hidden_at IS NULL AND has_few_words(title_words, instructor_words, course_key);
CREATE INDEX notes_walk_most_liked ON notes (likes DESC, id DESC)
  INCLUDE (title_words, instructor_words, course_key, academic_year)
  WHERE hidden_at IS NULL AND has_few_words(title_words, instructor_words, course_key);
CREATE INDEX notes_wordy_newest ON notes (created_at DESC, id DESC)
  WHERE hidden_at IS NULL AND NOT has_few_words(title_words, instructor_words, course_key);
CREATE INDEX notes_wordy_most_liked ON notes (likes DESC, id DESC)
  WHERE hidden_at IS NULL AND NOT has_few_words(title_words, instructor_words, course_key);
-- An index alone answers for what has been vacuumed.
ALTER TABLE notes SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- As `ratings_liked` has what somebody likes: in the order in which their lists are answered.
CREATE INDEX ratings_disliked ON ratings (user_id, created_at DESC, note_id DESC) WHERE NOT liked;
