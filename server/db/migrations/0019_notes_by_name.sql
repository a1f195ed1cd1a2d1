-- What somebody shares by name, in both orders. Of what they share anonymously there is nothing here: however much that
-- is, their page reads the same rows.
CREATE INDEX notes_by_name_newest ON notes (user_id, created_at DESC, id DESC) WHERE NOT is_anonymous;
CREATE INDEX notes_by_name_liked ON notes (user_id, likes DESC, id DESC) WHERE NOT is_anonymous;
