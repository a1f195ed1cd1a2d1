-- Pages that are pictures have their words recognised, by a job that goes page by page. `none`: every page says something
-- by itself; `empty`: nothing was recognised either. A page that was looked at has a row, also when it holds no word.
ALTER TABLE documents
  ADD COLUMN recognition_state text NOT NULL DEFAULT 'none'
    CHECK (recognition_state IN ('none', 'waiting', 'done', 'empty', 'parked')),
  ADD COLUMN recognition_problem text,
  -- How often a process has begun with the page it is at.
  ADD COLUMN recognition_tries integer NOT NULL DEFAULT 0,
  -- When its job was asked for last. Null: not since there is something to do.
  ADD COLUMN recognition_asked_at timestamptz;
UPDATE documents SET recognition_state = 'waiting'
 WHERE text_state IN ('done', 'empty')
   AND page_count > (SELECT count(*) FROM document_pages p WHERE p.document_id = documents.id);
CREATE INDEX documents_unrecognised ON documents (recognition_asked_at NULLS FIRST) WHERE recognition_state = 'waiting';
