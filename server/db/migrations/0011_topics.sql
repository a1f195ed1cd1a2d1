-- What a text is about in two steps, for the order of what is found: the words it says most often are marked `*` in
-- "ranked" too. Words of scripts with short words, and words with signs, count however short they are.
DROP FUNCTION words_of_text;
CREATE FUNCTION words_of_text(of_document uuid, OUT words text[], OUT topics text[], OUT main_topics text[])
LANGUAGE sql STABLE AS $$
  WITH counted AS (
    SELECT word, count(*) AS times
      FROM document_pages p, string_to_table(p.words, ' ') AS word
     WHERE p.document_id = of_document AND word NOT IN ('', '|')
     GROUP BY word),
  judged AS (
    SELECT word, times, times > 1 AND (char_length(word) >= 4 OR word !~ '^[a-z0-9]+$') AS may_be_topic FROM counted),
  measured AS (
    SELECT word, sum(octet_length(word) + 4) OVER (ORDER BY times DESC, word) AS bytes,
           CASE WHEN may_be_topic THEN row_number() OVER (PARTITION BY may_be_topic ORDER BY times DESC, word) END AS topic
      FROM judged)
  SELECT coalesce(array_agg(word), '{}'), coalesce(array_agg(word) FILTER (WHERE topic <= 60), '{}'),
         coalesce(array_agg(word) FILTER (WHERE topic <= 20), '{}')
    FROM measured WHERE bytes < 800000
$$;

CREATE OR REPLACE FUNCTION search_entry_of(n notes) RETURNS search_entries LANGUAGE plpgsql AS $$
DECLARE
  head tsvector := setweight(n.title_words, 'A') || setweight(n.course_words, 'B') || setweight(n.instructor_words, 'C');
  head_marked text[] := ARRAY(SELECT '!' || word FROM unnest(tsvector_to_array(head)) AS word);
  content record;
  placed text;
BEGIN
  -- A new note has no text yet, and there may be many of them at once.
  IF NOT EXISTS (SELECT FROM document_pages WHERE document_id = n.document_id) THEN
    RETURN ROW (n.id, array_to_tsvector(head_marked), head)::search_entries;
  END IF;
  SELECT * INTO content FROM words_of_text(n.document_id);
  SELECT string_agg(format('''%s'':1', word), ' ') INTO placed
    FROM (SELECT unnest(content.topics) AS word UNION SELECT '*' || unnest(content.main_topics)) t;
  RETURN ROW (
    n.id,
    array_to_tsvector(content.words || head_marked || ARRAY(SELECT '*' || word FROM unnest(content.topics) AS word)),
    head || coalesce(placed, '')::tsvector
  )::search_entries;
END $$;


-- Two transactions that learn the same words need not wait for one another, which could end in a deadlock: a word that
-- both learn at once is there twice, which does no harm.
DROP FUNCTION learn_words;
DROP TABLE known_word_forms;
DROP TABLE known_words;
CREATE TABLE known_word_forms (
  form text NOT NULL COLLATE "C",
  word text NOT NULL COLLATE "C"
);
CREATE INDEX known_word_forms_form ON known_word_forms (form, word);
CREATE INDEX known_word_forms_word ON known_word_forms (word);

CREATE FUNCTION learn_words(learnt text[]) RETURNS void LANGUAGE sql AS $$
  WITH new_words AS (
    SELECT DISTINCT word FROM unnest(learnt) AS learnt_word (word)
     WHERE char_length(word) BETWEEN 4 AND 24 AND NOT EXISTS (SELECT FROM known_word_forms k WHERE k.word = learnt_word.word))
  INSERT INTO known_word_forms
  SELECT word, word FROM new_words
  UNION
  SELECT left(word, place - 1) || substr(word, place + 1), word
    FROM new_words, generate_series(1, char_length(word)) AS place
$$;
SELECT learn_words(array_agg(DISTINCT word)) FROM search_entries, unnest(tsvector_to_array(ranked)) AS word;

SELECT update_search_entry(n) FROM notes n WHERE EXISTS (SELECT FROM document_pages p WHERE p.document_id = n.document_id);
