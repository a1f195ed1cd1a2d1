-- Which pages became pictures when the document was made anonymous, counted from 1. Null: none.
ALTER TABLE documents ADD COLUMN drawn_pages integer[];
