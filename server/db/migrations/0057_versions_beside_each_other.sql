-- Older servers: any
-- The oldest Lectern that works on a database with this migration, for servers that do not know it; null where none does. See
-- docs/decisions/0069-versions-beside-each-other.md.
ALTER TABLE schema_migrations ADD COLUMN oldest_server text;

-- Scripts and styles of the pages, by names that have a hash of the content, compressed by brotli: while servers are replaced
-- one after the other, and for those who keep a page open, each server has those of the others.
CREATE TABLE page_parts (
  name text PRIMARY KEY,
  content bytea NOT NULL,
  -- When a server without it was started; null while the last that was started has it.
  superseded_at timestamptz
);
ALTER TABLE page_parts ALTER COLUMN content SET STORAGE EXTERNAL;
