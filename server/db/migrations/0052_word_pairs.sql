-- Phrases: which words follow one another on a page, as one of 2^18 numbers for each pair, so that the pages with a phrase are
-- found by an index, and only these are read. Pages of a sixteenth of all documents have an index of their own, as notes
-- have (0022): of a phrase that many have it tells that, without reading where all of them are.
CREATE FUNCTION word_pairs(words text) RETURNS integer[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg(hashtext(word || ' ' || next) & 262143)
    FROM string_to_array(btrim(words), ' ') AS w (all_words), ROWS FROM (unnest(all_words), unnest(all_words[2:])) AS pair (word, next)
   WHERE next IS NOT NULL
$$;
CREATE INDEX document_pages_pairs ON document_pages USING gin (word_pairs(words)) WITH (fastupdate = off);
CREATE INDEX document_pages_pairs_sample ON document_pages USING gin (word_pairs(words)) WITH (fastupdate = off)
  WHERE get_byte(uuid_send(document_id), 0) < 16;
