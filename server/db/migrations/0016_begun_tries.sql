-- When a process began with the file last. A third try that has no end yet may be under way in another server: only one
-- that began long ago took its server along.
ALTER TABLE documents
  ADD COLUMN text_tried_at timestamptz,
  ADD COLUMN picture_tried_at timestamptz,
  ADD COLUMN recognition_tried_at timestamptz;
