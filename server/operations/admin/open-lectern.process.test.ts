import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { deriveSecret } from '../../platform/db/secret.ts'
import { version } from '../../platform/db/version.ts'
import { startEmbeddedDatabase } from '../../platform/embedded-postgres/embedded.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { createDatabase, queryAt, templateName } from '../../testing/database.ts'
import { quietLog, recordOutput } from '../../testing/log.ts'
import { doctor } from './doctor.ts'
import { openLectern, openStore } from './open-store.ts'

const folder = await makeTestFolder()
const never = join(folder, 'never')
const SECRET = 'q7Zr1mVw0sXb5Ke9TfYu2Hc8Jd4Gn6La'
const configOf = (env: Record<string, string>) => readConfig({ DATA_DIR: never, SECRET, ...env })
const closing =
  (open: typeof openLectern | typeof openStore) =>
  async (env: Record<string, string>): Promise<void> => {
    await using opened = new AsyncDisposableStack()
    await open(configOf(env), quietLog, opened)
  }
const [open, openOnlyStore] = [closing(openLectern), closing(openStore)]
const listTables = (databaseUrl: string) =>
  queryAt(databaseUrl, `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`)

it('an admin command makes no Lectern where DATA_DIR holds none', async () => {
  const refusal = `No database in DATA_DIR ${never}. Use the server’s DATA_DIR or DATABASE_URL.`
  await expect(open({})).rejects.toThrow(refusal)
  await expect(openOnlyStore({})).rejects.toThrow(refusal)
  expect(await readdir(folder)).toEqual([])
})

it('an admin command makes no Lectern where the database is empty', async () => {
  const DATABASE_URL = await createDatabase(inject('postgresUrl'), `lectern_none_${randomBytes(6).toString('hex')}`)
  await expect(open({ DATABASE_URL })).rejects.toThrow(
    'The database is empty. Start Lectern once to create its tables.',
  )
  await expect(openOnlyStore({ DATABASE_URL })).rejects.toThrow('The database is empty')
  expect(await listTables(DATABASE_URL)).toEqual([])
  expect(await readdir(folder)).toEqual([])
})

it('an admin command makes no Lectern where the files are elsewhere', async () => {
  const name = `lectern_elsewhere_${randomBytes(6).toString('hex')}`
  const DATABASE_URL = await createDatabase(inject('postgresUrl'), name, templateName)
  const refusal = `No files in DATA_DIR ${never}. Use the server’s DATA_DIR or S3_BUCKET.`
  await expect(open({ DATABASE_URL })).rejects.toThrow(refusal)
  await expect(openOnlyStore({ DATABASE_URL })).rejects.toThrow(refusal)
  expect(await readdir(folder)).toEqual([])
})

it('an admin command creates no instance where the embedded database is missing or has another secret', async () => {
  const dataDir = await makeTestFolder()
  const options = { dataDir, log: quietLog, fsync: false }
  await (await startEmbeddedDatabase({ ...options, password: deriveSecret(SECRET, 'postgres') })).stop()
  const ofFolder = { DATA_DIR: dataDir }
  const other = { ...ofFolder, SECRET: 'x'.repeat(32) }
  for (const run of [open, openOnlyStore]) {
    await expect(run(other)).rejects.toThrow('SECRET doesn’t match the server that last used')
    await expect(run({ ...ofFolder, SECRET: '' })).rejects.toThrow(`No secret in DATA_DIR ${dataDir}.`)
  }
  const { said, out } = recordOutput()
  await doctor({ config: configOf(other), env: other, log: quietLog }, null, out)
  expect(said.join('')).toMatch(/FAIL The embedded database doesn’t start: SECRET doesn’t match/)
  // The database still has its old password.
  await expect(open({ ...ofFolder })).rejects.toThrow('The database is empty')
  expect(await readdir(dataDir)).not.toContain('secret')
})

it('an admin command makes no Lectern where the secret is elsewhere', async () => {
  const env = { DATABASE_URL: 'postgres://lectern@127.0.0.1:1/lectern', SECRET: '' }
  await expect(open(env)).rejects.toThrow(`No secret in DATA_DIR ${never}. Use the server’s DATA_DIR or SECRET.`)
  expect(await readdir(folder)).toEqual([])
})

it('an admin command migrates nothing under an older server, and explains how to migrate', async () => {
  const name = `lectern_older_${randomBytes(6).toString('hex')}`
  const DATABASE_URL = await createDatabase(inject('postgresUrl'), name, templateName)
  await queryAt(DATABASE_URL, 'DELETE FROM schema_migrations')
  const before = await listTables(DATABASE_URL)
  await expect(open({ DATABASE_URL })).rejects.toThrow(
    new RegExp(`(1 migration is|\\d+ migrations are) pending. Stop older servers and start Lectern ${version} once`),
  )
  expect(await listTables(DATABASE_URL)).toEqual(before)
  await queryAt(DATABASE_URL, `INSERT INTO schema_migrations VALUES ('9999_later.sql', 'x', '99.0.0')`)
  await expect(open({ DATABASE_URL })).rejects.toThrow('created by Lectern 99.0.0, whose schema differs')
  expect(await readdir(folder)).toEqual([])
})
