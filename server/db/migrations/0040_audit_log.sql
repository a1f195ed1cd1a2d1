-- Every change of a role and every decision of a moderator, with who did it. Nobody edits it, the server least of all. Ids of
-- people have no reference, so that what stands here stays when they go; of an anonymous note its author is never named.
CREATE TABLE audit_entries (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null: whoever has the command line.
  actor_id uuid,
  action text NOT NULL,
  -- The user or the note it was done to.
  subject_id uuid NOT NULL,
  details jsonb NOT NULL
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME;
END $$;
CREATE TRIGGER audit_entries_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
