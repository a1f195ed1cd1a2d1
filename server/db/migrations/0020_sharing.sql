-- What came of sharing, told to nobody but who shared: how often notes were opened and liked, by week and in all. No reader
-- stands here, no time and no note. Weeks begin on Mondays, by UTC. What a note was opened stays when it is deleted.
CREATE TABLE sharing_weeks (
  owner_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  week date NOT NULL,
  opened integer NOT NULL DEFAULT 0 CHECK (opened >= 0),
  liked integer NOT NULL DEFAULT 0 CHECK (liked >= 0),
  PRIMARY KEY (owner_id, week)
);
-- Who has ever opened or liked a note of whom, so that each is counted once; not which note, nor when. Only ever counted.
CREATE TABLE sharing_readers (
  owner_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  reader_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (owner_id, reader_id)
);
CREATE INDEX sharing_readers_reader ON sharing_readers (reader_id);

-- What is known of the time before: likes and where somebody stopped reading have a time, what was viewed last has none.
INSERT INTO sharing_weeks (owner_id, week, opened, liked)
SELECT n.user_id, date_trunc('week', e.at AT TIME ZONE 'UTC')::date, sum(e.opened), sum(e.liked)
  FROM (SELECT user_id, note_id, created_at AS at, 0 AS opened, 1 AS liked FROM ratings WHERE liked
        UNION ALL
        SELECT user_id, note_id, read_at, 1, 0 FROM reading_positions) e
  JOIN notes n ON n.id = e.note_id AND n.user_id <> e.user_id
 GROUP BY 1, 2;
INSERT INTO sharing_readers (owner_id, reader_id)
SELECT DISTINCT n.user_id, e.user_id
  FROM (SELECT user_id, note_id FROM ratings WHERE liked
        UNION ALL SELECT user_id, note_id FROM reading_positions
        UNION ALL SELECT user_id, note_id FROM recently_viewed) e
  JOIN notes n ON n.id = e.note_id AND n.user_id <> e.user_id;

-- What one no longer wants to be reminded of; the page is remembered all the same.
ALTER TABLE reading_positions ADD COLUMN set_aside boolean NOT NULL DEFAULT false;
CREATE INDEX reading_positions_latest ON reading_positions (user_id, read_at DESC) WHERE NOT set_aside;
