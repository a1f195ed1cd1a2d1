-- Of the pictures' files, so that what became of them can be told. Null for those that were drawn before.
ALTER TABLE thumbnails ADD COLUMN small_sha256 bytea, ADD COLUMN large_sha256 bytea;
