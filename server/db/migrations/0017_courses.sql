-- What courses are called, from the list that the society keeps. A course is what `foldCourseCode` says is one.
CREATE TABLE course_names (
  course_key text COLLATE "C" PRIMARY KEY,
  code text NOT NULL,
  name text NOT NULL,
  -- What a filter finds it by: its code and its name, folded.
  words tsvector NOT NULL,
  fold_version integer NOT NULL
);

CREATE TABLE course_follows (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  course_key text COLLATE "C" NOT NULL,
  followed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, course_key)
);

-- Who has once asked for mails of new notes in the courses they follow. The row stays when they end them, so that a link
-- in an older mail ends those that were asked for again.
CREATE TABLE course_mails (
  -- What the link that ends them names, and nothing else does.
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
  -- Null while they are ended.
  frequency text CHECK (frequency IN ('daily', 'weekly')),
  due_at timestamptz,
  -- Notes up to here have been told of.
  told_until timestamptz NOT NULL DEFAULT now(),
  -- Mails are counted: the last one that was planned, and the last one that was begun to be sent. One that was begun is
  -- never begun again.
  planned integer NOT NULL DEFAULT 0,
  begun integer NOT NULL DEFAULT 0,
  CHECK ((frequency IS NULL) = (due_at IS NULL))
);
CREATE INDEX course_mails_due ON course_mails (due_at) WHERE due_at IS NOT NULL;

-- The notes of one course: the newest, the most liked, and those of one instructor, whom the index knows by the folded
-- name. Those of one year have `notes_course_year`.
CREATE INDEX notes_course_newest ON notes (course_key, created_at DESC, id DESC);
CREATE INDEX notes_course_liked ON notes (course_key, likes DESC, id DESC);
CREATE INDEX notes_course_instructor ON notes (course_key, instructor_words, created_at DESC, id DESC);
