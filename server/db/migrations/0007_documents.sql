-- A stored file with its facts. A note has a document; what is in the file, and what is made of it, is known here.
CREATE TABLE documents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- A random key in the file storage. It changes with the file's bytes and says nothing about them.
  file_key text NOT NULL UNIQUE,
  bytes bigint NOT NULL,
  sha256 bytea NOT NULL,
  -- Null where nobody has counted: the file asks for a password, or came before pages were counted.
  page_count integer CHECK (page_count > 0),
  -- Admitted: judged, rewritten if its note is anonymous, stored. What is made of it later has states of its own.
  state text NOT NULL DEFAULT 'admitted' CHECK (state IN ('admitted'))
);

-- In one pass over the table, which an UPDATE of every row would double.
ALTER TABLE notes ADD COLUMN document_id uuid NOT NULL DEFAULT gen_random_uuid();
INSERT INTO documents (id, file_key, bytes, sha256)
SELECT document_id, file_key, file_bytes, file_sha256 FROM notes;
ALTER TABLE notes
  ALTER COLUMN document_id DROP DEFAULT,
  ADD UNIQUE (document_id),
  ADD FOREIGN KEY (document_id) REFERENCES documents,
  DROP COLUMN file_key,
  DROP COLUMN file_bytes,
  DROP COLUMN file_sha256;

-- However a note goes, with its author too, or gets another document: the old one goes with it, and its file is
-- written down for the sweep. No statement can forget it.
CREATE FUNCTION delete_document_of_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM documents WHERE id = OLD.document_id;
  RETURN NULL;
END $$;
CREATE TRIGGER note_deleted AFTER DELETE ON notes
  FOR EACH ROW EXECUTE FUNCTION delete_document_of_note();
CREATE TRIGGER note_document_replaced AFTER UPDATE OF document_id ON notes
  FOR EACH ROW WHEN (OLD.document_id <> NEW.document_id) EXECUTE FUNCTION delete_document_of_note();

CREATE FUNCTION release_file_of_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_removals (file_key, due_at) VALUES (OLD.file_key, now());
  RETURN NULL;
END $$;
CREATE TRIGGER document_deleted AFTER DELETE ON documents
  FOR EACH ROW EXECUTE FUNCTION release_file_of_document();
