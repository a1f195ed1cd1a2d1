-- The file of a note as its student sent it, which the stored one of an anonymous note is not: by it the same file is
-- recognised when the same student chooses it again. Null for notes that came before. No answer ever tells it.
ALTER TABLE notes ADD COLUMN source_sha256 bytea;
CREATE INDEX notes_source ON notes (user_id, source_sha256) WHERE source_sha256 IS NOT NULL;
