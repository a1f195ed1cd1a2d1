-- What the filters of lists ask of a note, each beginning of a word or a code a key of its own: an index takes whole keys in
-- half the time of beginnings, and of several keys only the notes that have all of them. See
-- docs/decisions/0067-filters-by-whole-keys.md.
CREATE FUNCTION filter_keys(title_words tsvector, instructor_words tsvector, course_key text, academic_year text)
RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 2000 AS $$
  SELECT array_agg(mark || left(word, length)) || ('y' || academic_year)
    FROM (SELECT 't', unnest(tsvector_to_array(title_words))
           UNION ALL SELECT 'i', unnest(tsvector_to_array(instructor_words))
           UNION ALL SELECT 'c', course_key) w (mark, word),
         generate_series(1, char_length(word)) AS length
$$;
DROP INDEX notes_title, notes_instructor;
-- Every like writes a note's keys anew, which is cheaper for many at once. The list of those that wait is read by each search,
-- and short.
CREATE INDEX notes_filter_keys ON notes USING gin (filter_keys(title_words, instructor_words, course_key, academic_year))
  WITH (gin_pending_list_limit = 256);

-- The same inside the notes: beginnings of the words of title, course and instructor are words of their own, behind `!*`. They
-- are made where the index is written; what `ranked` has from a text alone is D.
CREATE FUNCTION findable_words(words tsvector, ranked tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 5000 AS $$
  SELECT words || array_to_tsvector(coalesce(array_agg(DISTINCT '!*' || left(lexeme, length)), '{}'))
    FROM unnest(ranked), generate_series(1, char_length(lexeme)) AS length
   WHERE weights IS NULL OR weights && '{A,B,C}'
$$;
DROP INDEX search_entries_words, search_entries_sample;
CREATE INDEX search_entries_words ON search_entries USING gin (findable_words(words, ranked)) WITH (fastupdate = off);
CREATE INDEX search_entries_sample ON search_entries USING gin (findable_words(words, ranked)) WITH (fastupdate = off)
  WHERE get_byte(uuid_send(note_id), 0) < 16;
