-- The folded words that named somebody before their name or address was changed: what named them then names them to whoever
-- knew them, and is taken out of the titles of their anonymous notes as well.
ALTER TABLE users ADD COLUMN former_words text[] NOT NULL DEFAULT '{}';
