import { expect, it } from 'vitest'
import { readMigrations } from '../server/db/migrate.ts'
import { findFaults } from './check-migration.ts'

const any = '-- Older servers: any\n'
const faultsOf = (text: string) => findFaults('0060_new.sql', text)

it('every migration from 0060 on says whether older servers work beside it, and adds only where it says so', async () => {
  const migrations = await readMigrations()
  expect(migrations.flatMap(({ name, text }) => findFaults(name, text))).toEqual([])
  // The first that did.
  const first = migrations.find(({ name }) => name.startsWith('0057'))
  expect(faultsOf(first?.text ?? '')).toEqual([])
})

const wrong: [what: string, text: string][] = [
  ['nothing said', 'CREATE TABLE x (id integer);'],
  ['something said that means nothing', '-- Older servers: some\nCREATE TABLE x (id integer);'],
  ['a version without what it stopped', '-- Older servers: from 0.2.0\nALTER TABLE notes DROP COLUMN title;'],
  ['none without a reason', '-- Older servers: none\nDROP TABLE notes;'],
  ['said too late', 'CREATE TABLE x (id integer);\n-- Older servers: any\n'],
  ['two tables held at once', `${any}ALTER TABLE notes ADD COLUMN a text; ALTER TABLE users ADD COLUMN a text;`],
  ['a column taken away', `${any}ALTER TABLE notes DROP COLUMN title;`],
  ['one added and one taken away', `${any}ALTER TABLE notes ADD COLUMN a text, DROP COLUMN b;`],
  ['a column renamed', `${any}ALTER TABLE notes RENAME COLUMN title TO name;`],
  ['a column of another type', `${any}ALTER TABLE notes ALTER COLUMN title TYPE varchar;`],
  ['a column that must be there', `${any}ALTER TABLE notes ALTER COLUMN title SET NOT NULL;`],
  ['a new one that must be there', `${any}ALTER TABLE notes ADD COLUMN pages integer NOT NULL;`],
  ['a new one that is there once', `${any}ALTER TABLE notes ADD COLUMN number integer NOT NULL DEFAULT 0 UNIQUE;`],
  ['a check', `${any}ALTER TABLE notes ADD CONSTRAINT short CHECK (length(title) < 9);`],
  ['a table taken away', `${any}DROP TABLE reports;`],
  ['an index that writers wait for', `${any}CREATE INDEX notes_x ON notes (title);`],
  ['a trigger on what there is', `${any}CREATE TRIGGER t AFTER INSERT ON notes EXECUTE FUNCTION f();`],
  ['a function that does something else', `${any}CREATE OR REPLACE FUNCTION f() RETURNS trigger AS $$ x $$;`],
  ['rows written anew', `${any}UPDATE notes SET title = '';`],
  ['rows taken away', `${any}DELETE FROM notes;`],
  ['what keeps notes from being deleted', `${any}CREATE TABLE x (note_id uuid REFERENCES notes);`],
  ['and by a column', `${any}ALTER TABLE users ADD COLUMN best uuid REFERENCES notes (id);`],
]

it('refuses what breaks older servers', () => {
  expect(wrong.filter(([, text]) => faultsOf(text).length !== 1).map(([what]) => what)).toEqual([])
})

const right: [what: string, text: string][] = [
  [
    'a table with all that belongs to it',
    `${any}-- DROP is a word in a comment.
     CREATE TABLE x (note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE, text text DEFAULT 'DROP; TABLE');
     CREATE UNIQUE INDEX x_text ON x (text); INSERT INTO x SELECT id FROM notes;
     CREATE TABLE y (note_id uuid REFERENCES x);
     CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN DELETE FROM notes; END $$;
     CREATE TRIGGER t BEFORE UPDATE ON x FOR EACH ROW EXECUTE FUNCTION f();`,
  ],
  ['columns', `${any}ALTER TABLE notes ADD COLUMN a text, ADD COLUMN b integer NOT NULL DEFAULT 0;`],
  [
    'what a release stopped needing',
    '-- Older servers: from 0.2.0, which reads it no more.\nALTER TABLE notes DROP COLUMN b;',
  ],
  [
    'what nobody may work beside',
    '-- Older servers: none, since titles are ciphers now.\nUPDATE notes SET title = title;',
  ],
]

it('accepts what older servers work beside', () => {
  expect(right.flatMap(([, text]) => faultsOf(text))).toEqual([])
})
