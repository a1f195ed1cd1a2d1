-- What came of sharing, a row for each opening or like, to be added up, and less than nothing for a like that is taken
-- back: one row a week was waited for by all who rate its owner's notes, and who measured that learnt whose an anonymous
-- note is.
ALTER TABLE sharing_weeks
  DROP CONSTRAINT sharing_weeks_pkey,
  DROP CONSTRAINT sharing_weeks_opened_check,
  DROP CONSTRAINT sharing_weeks_liked_check;
CREATE INDEX sharing_weeks_owner ON sharing_weeks (owner_id, week) INCLUDE (opened, liked);
