-- One academic year, the newest first. Notes of a past year are nearly all old, so that walking all notes from the
-- newest on to find them reads most of the table.
CREATE INDEX notes_year ON notes (academic_year, created_at DESC, id DESC);

-- With both columns, asking for one student's rating of one note is a single entry by either index. Some notes have
-- thousands of ratings.
DROP INDEX ratings_note;
CREATE INDEX ratings_note ON ratings (note_id, user_id);

-- The order of `likedNotesDisplay` to the last column: ratings given at the same moment need no sort.
DROP INDEX ratings_liked;
CREATE INDEX ratings_liked ON ratings (user_id, created_at DESC, note_id DESC) WHERE liked;
