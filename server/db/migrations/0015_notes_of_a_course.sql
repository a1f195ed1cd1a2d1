-- Notes of a course in a year, which may be the beginning of a course's name: the year is looked at in the index, before
-- any note is. Courses alone lie side by side in it as well.
DROP INDEX notes_course;
CREATE INDEX notes_course_year ON notes (course_key, academic_year, created_at DESC, id DESC);
