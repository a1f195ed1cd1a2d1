-- Older servers: any
-- The oldest Lectern that works on a database with this migration, for servers that do not know it; null where none does. See
-- docs/decisions/0069-versions-beside-each-other.md.
ALTER TABLE schema_migrations ADD COLUMN oldest_server text;
