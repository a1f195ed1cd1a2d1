-- While a row's time has not passed no file is removed: a backup under way reads the files that its snapshot knows.
CREATE TABLE removal_holds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  until timestamptz NOT NULL
);

-- Jobs that waited when a backup was made, as the restore left them. The first start moves them into the queue, whose own
-- tables no backup holds.
CREATE TABLE restored_jobs (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  data jsonb NOT NULL,
  priority integer NOT NULL,
  singleton_key text,
  start_after timestamptz NOT NULL
);
