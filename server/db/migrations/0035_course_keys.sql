-- A key is what `foldCourseCode` gives, 32 characters at most, and so is a code: an address with a longer one, or with one
-- that folds to another, is refused. Codes that grew when they were folded are replaced by as much of their keys as fits, so
-- that their notes can be edited; others keep their spelling. Words are folded anew where the version says so.
UPDATE notes
   SET course_code = left(normalize(course_key, NFKC), 32), course_key = left(normalize(course_key, NFKC), 32),
       fold_version = 0
 WHERE char_length(course_code) > 32 OR char_length(normalize(course_key, NFKC)) > 32;
UPDATE notes SET course_key = normalize(course_key, NFKC), fold_version = 0 WHERE course_key IS NOT NFKC NORMALIZED;
UPDATE suggestions SET key = normalize(key, NFKC) WHERE kind = 'course' AND key IS NOT NFKC NORMALIZED;

-- Where two keys become one, the course that was there first stays.
INSERT INTO course_names (course_key, code, name, words, fold_version)
SELECT left(normalize(course_key, NFKC), 32),
       CASE WHEN greatest(char_length(code), char_length(normalize(course_key, NFKC))) <= 32 THEN code
            ELSE left(normalize(course_key, NFKC), 32) END,
       name, words, 0
  FROM course_names WHERE course_key IS NOT NFKC NORMALIZED OR char_length(course_key) > 32
ON CONFLICT DO NOTHING;
DELETE FROM course_names WHERE course_key IS NOT NFKC NORMALIZED OR char_length(course_key) > 32;
INSERT INTO course_follows (user_id, course_key, followed_at)
SELECT user_id, left(normalize(course_key, NFKC), 32), followed_at
  FROM course_follows WHERE course_key IS NOT NFKC NORMALIZED OR char_length(course_key) > 32
ON CONFLICT DO NOTHING;
DELETE FROM course_follows WHERE course_key IS NOT NFKC NORMALIZED OR char_length(course_key) > 32;
