import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { openDiskStorage } from '../server/files/disk.ts'
import { startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import { onePagePdf } from '../server/test/pdf.ts'
import { startChild, stopChildren } from './child-server.ts'
import { logIn } from './compare-routes.ts'
import { fillDatabase } from './fill-database.ts'
import { findLikable } from './rows.ts'

/**
 * `npm run bench:files`: the server's files in which something runs for a like and for an anonymous upload that does not run for a
 * start, a login and a list. What processes of their own do with a PDF is not among it.
 */
type Action = (origin: string, headers: Record<string, string>) => Promise<Response>
type Coverage = { result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[] }

const root = new URL('../', import.meta.url)
const log = pino({ level: 'warn' }, process.stderr)
const work = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
// PostgreSQL's own account has to pass where we are root.
await chmod(work, 0o711)
const database = await startEmbeddedDatabase({ dataDir: join(work, 'database'), password: 'bench', log })
const dataDir = join(work, 'data')

function upload(origin: string, headers: Record<string, string>): Promise<Response> {
  const body = new FormData()
  const fields = { courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: 'true' }
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('note', new File([Uint8Array.from(onePagePdf)], 'A page.pdf', { type: 'application/pdf' }))
  return fetch(`${origin}/api/notes`, { method: 'POST', headers, body })
}

/** The functions that ran: where each begins, behind its file. */
async function run(name: string, action: Action | null): Promise<Set<string>> {
  const coverage = join(work, `coverage of ${name}`)
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    ROLE: 'web',
    SECRET: 'a secret of the benchmarks, long enough',
    NODE_V8_COVERAGE: coverage,
  }
  const server = await startChild('server/main.ts', env, { readyPath: '/readyz', logFile: join(work, 'server.log') })
  const headers = { authorization: `Bearer ${(await logIn(server.origin)).accessToken}` }
  await fetch(`${server.origin}/api/notes`, { headers })
  const answer = await action?.(server.origin, headers)
  if (answer && !answer.ok) throw new Error(`${name} was refused: ${await answer.text()}`)
  await server.stop()
  const reports = await Promise.all((await readdir(coverage)).map((file) => readFile(join(coverage, file), 'utf8')))
  const scripts = reports.flatMap((report) => (JSON.parse(report) as Coverage).result)
  return new Set(
    scripts.flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges: [whole] }) => whole && whole.count > 0)
        .map(({ ranges: [whole] }) => `${url} ${whole?.startOffset}`),
    ),
  )
}

try {
  await migrate(database.url, log)
  const { db } = openPool(database.url, 4, log)
  const filled = await fillDatabase(db, await openDiskStorage(join(dataDir, 'files')), 6_000, onePagePdf)
  const [likable] = await findLikable(db, filled)
  await db.destroy()
  const like: Action = (origin, headers) =>
    fetch(`${origin}/api/notes/${likable}/rating`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ likes: '+' }),
    })
  // The first login from a device is told by mail.
  await run('a first login', null)
  const always = await run('what always runs', null)
  for (const [name, action] of Object.entries({ 'A like': like, 'An anonymous upload': upload })) {
    const own = (await run(name, action)).difference(always)
    const files = [...new Set([...own].map((one) => one.split(' ')[0] ?? ''))]
      .filter((url) => url.startsWith(root.href) && !url.includes('/node_modules/'))
      .map((url) => fileURLToPath(url).slice(fileURLToPath(root).length))
    process.stdout.write(
      `${name}: ${files.length} files\n${files
        .toSorted()
        .map((file) => `  ${file}\n`)
        .join('')}`,
    )
  }
} finally {
  await stopChildren()
  await database.stop()
  await rm(work, { recursive: true, force: true })
}
