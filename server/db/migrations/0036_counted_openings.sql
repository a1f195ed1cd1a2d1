-- What a student opened today, so that opening it again counts no more. Not who shared it. A row goes when its reader opens
-- something on a later day, with the reader and with the note; what was viewed recently is kept longer than that.
CREATE TABLE counted_openings (
  reader_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  day date NOT NULL,
  note_id uuid NOT NULL REFERENCES notes ON DELETE CASCADE,
  PRIMARY KEY (reader_id, day, note_id)
);
CREATE INDEX counted_openings_note ON counted_openings (note_id);
