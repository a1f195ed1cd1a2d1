import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { openPool } from '../server/db/pool.ts'
import { startChild } from './child-server.ts'
import { logIn } from './compare-routes.ts'
import { findLikable, multipart } from './rows.ts'
import { prepareRun } from './setting.ts'

/**
 * `npm run bench:files`: the server's files in which something runs for a like and for an anonymous upload that does not run for a
 * start, a login and a list. What processes of their own do with a PDF is not among it.
 */
type Action = { method: string; path: string; headers: Record<string, string>; body: string | Buffer }
type Coverage = { result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[] }

const root = new URL('../', import.meta.url)
const { openLibrary, serverEnv, work, logFile, cleanUp } = await prepareRun('npm run bench:files')

try {
  const { databaseUrl, dataDir, filled, pdf } = await openLibrary()
  const { db } = openPool(databaseUrl, 1, pino({ level: 'silent' }))
  const [likable] = await findLikable(db, filled)
  await db.destroy()
  if (!likable) throw new Error('All notes are liked: this wants --notes 6000 or more')
  const actions: Record<string, Action> = {
    'A like': {
      method: 'PATCH',
      path: `/api/notes/${likable}/rating`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ likes: '+' }),
    },
    'An anonymous upload': {
      method: 'POST',
      path: '/api/notes',
      ...multipart({ courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: 'true' }, 'note', pdf),
    },
  }
  // With its limits, which are part of the way.
  const env = { ...serverEnv, RATE_LIMIT: 'on', ROLE: 'web', DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  // The first login from a device is told by mail.
  await run('a first login', env)
  const always = await run('what always runs', env)
  for (const [name, action] of Object.entries(actions)) {
    const files = filesOf((await run(name, env, action)).difference(always))
    process.stdout.write(`${name}: ${files.length} files\n${files.map((file) => `  ${file}\n`).join('')}`)
  }
} finally {
  await cleanUp()
}

/** The functions that ran: where each begins, behind its file. */
async function run(name: string, env: Record<string, string>, action?: Action): Promise<Set<string>> {
  const coverage = join(work, `coverage of ${name}`)
  const server = await startChild(
    'server/main.ts',
    { ...env, NODE_V8_COVERAGE: coverage },
    { readyPath: '/readyz', logFile },
  )
  const headers = { authorization: `Bearer ${(await logIn(server.origin)).accessToken}` }
  await fetch(`${server.origin}/api/notes`, { headers })
  if (action) {
    const { path, method, body } = action
    const sent = { method, headers: { ...headers, ...action.headers }, body: Uint8Array.from(Buffer.from(body)) }
    const answer = await fetch(`${server.origin}${path}`, sent)
    if (!answer.ok) throw new Error(`${name} was refused: ${await answer.text()}`)
  }
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

/** From the repository's root, without what is not ours. */
function filesOf(functions: Set<string>): string[] {
  const urls = new Set([...functions].map((one) => one.split(' ')[0] ?? ''))
  const ours = [...urls].filter((url) => url.startsWith(root.href) && !url.includes('/node_modules/'))
  return ours.map((url) => fileURLToPath(url).slice(fileURLToPath(root).length)).sort()
}
