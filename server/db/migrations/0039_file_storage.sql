-- Which storage the files of this database are in: the storage holds the same marker. One row, from the first time that
-- a server has looked.
CREATE TABLE file_storage (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  marker uuid NOT NULL
);
