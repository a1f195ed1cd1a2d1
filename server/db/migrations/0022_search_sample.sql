-- A sixteenth of all notes, whichever they are, by an index of their own: a word that many notes have is found there
-- without reading where all of them are. What few have is looked for in the index of all.
CREATE INDEX search_entries_sample ON search_entries USING gin (words) WITH (fastupdate = off)
  WHERE get_byte(uuid_send(note_id), 0) < 16;
