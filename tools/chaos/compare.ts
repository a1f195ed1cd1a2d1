import { execFile } from 'node:child_process'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { until } from '../debian/daemons.ts'
import type { Tally } from './seen.ts'
import type { Stage } from './stage.ts'
import { rest } from './student.ts'
import { listLeftovers, lookAround } from './world.ts'

const admin = fileURLToPath(new URL('../admin.ts', import.meta.url))
/** A spool folder nobody has touched for so long is a dead server's. */
const staleMs = 6 * 60_000
const patienceMs = 15 * 60_000

/** Also on a machine that has much else to do. */
export const eventually = <T>(what: string, find: () => Promise<T | null | undefined | false>): Promise<T> =>
  until(what, find, patienceMs)

/** What was touched since the last comparison, or all of it. Waits for a database that answers. */
export async function compare(stage: Stage, tally: Tally, isWhole = false): Promise<void> {
  const { book, databaseUrl, dataDir } = stage
  for (;;) {
    const asked = isWhole ? book.all() : book.touched()
    const titles = isWhole ? null : new Set([...asked.keys()].map((key) => key.split(' ')[1] ?? ''))
    try {
      const found = book.compare(asked, await lookAround(databaseUrl, join(dataDir, 'files'), titles))
      for (const kind of ['lost', 'half', 'orphans'] as const) tally[kind].push(...found[kind])
      tally[isWhole ? 'whole' : 'comparisons']++
      return
    } catch (error) {
      if (!isAway(error)) throw error
      book.touch(asked)
      await rest(100)
    }
  }
}

/** PostgreSQL says that it starts or stops, or says nothing. */
function isAway(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string }
  return /^(57P|08|ECONN|EPIPE)/.test(code) || /terminated|timeout/i.test(message)
}

export type Verified = { isWhole: boolean; text: string }

/** `lectern admin verify`, beside the servers, as often as it takes until it has compared. */
export async function verify(stage: Stage): Promise<Verified> {
  for (;;) {
    const said = await runVerify(stage)
    if (said.text.includes('files compared')) return said
    await rest(1_000)
  }
}

function runVerify({ env }: Stage): Promise<Verified> {
  const { PATH, HOME } = process.env
  const options = { env: { PATH, HOME, ...env }, maxBuffer: 2 ** 24 }
  return promisify(execFile)(process.execPath, [admin, 'verify'], options).then(
    ({ stdout, stderr }) => ({ isWhole: true, text: `${stdout}${stderr}` }),
    ({ stdout, stderr }) => ({ isWhole: false, text: `${stdout}${stderr}` }),
  )
}

/** When nobody asks for anything: sweeps as if every lease had run out, and looks at what is left. */
export async function compareAfterSweep(stage: Stage, tally: Tally): Promise<void> {
  const { databaseUrl, dataDir } = stage
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const count = async (text: string) => (await client.query(text)).rowCount ?? 0
  try {
    await eventually('Jobs are done', async () => {
      const waiting = `SELECT FROM documents WHERE text_state = 'waiting' OR picture_state = 'waiting'`
      return (await count(waiting)) === 0
    })
    await client.query('UPDATE file_removals SET due_at = now()')
    // The sweep runs every minute; asking the queue for one saves the wait.
    await client.query(`INSERT INTO pgboss.job (name, data) VALUES ('sweep-files', '{}')`)
    await eventually('Files are swept', async () => (await count('SELECT FROM file_removals')) === 0)
    const old = new Date(Date.now() - staleMs)
    const spool = join(dataDir, 'spool')
    for (const name of await readdir(spool)) await utimes(join(spool, name), old, old).catch(() => {})
    await eventually('The spool is tidied', async () => (await listLeftovers(dataDir)).length === 0)
  } finally {
    await client.end()
  }
  await compare(stage, tally, true)
  tally.orphans.push(...(await listLeftovers(dataDir)))
  const { isWhole, text } = await verify(stage)
  if (!isWhole) tally.half.push(`lectern admin verify: ${text.trim()}`)
}
