-- Older servers: none, because they remember sessions until these triggers announce their end.
DROP TRIGGER sessions_ended ON sessions;
DROP TRIGGER sessions_cut_short ON sessions;
DROP TRIGGER sessions_emptied ON sessions;
DROP TRIGGER users_role_changed ON users;
DROP FUNCTION announce_ended_session();
DROP FUNCTION announce_all_sessions();
DROP FUNCTION announce_changed_role();

DROP TRIGGER notes_marked ON notes;
DROP FUNCTION mark_notes();
DROP TABLE note_marks;
DROP FUNCTION new_note_mark();
