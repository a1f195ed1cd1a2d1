-- An index of words for each kind: what many titles have is not read to find the courses that have it.
DROP INDEX suggestions_words;
CREATE INDEX suggestions_course_words ON suggestions USING gin (words) WITH (fastupdate = off) WHERE kind = 'course';
CREATE INDEX suggestions_title_words ON suggestions USING gin (words) WITH (fastupdate = off) WHERE kind = 'title';
CREATE INDEX suggestions_instructor_words ON suggestions USING gin (words) WITH (fastupdate = off) WHERE kind = 'instructor';
