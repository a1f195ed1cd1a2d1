import { join } from 'node:path'
import { type ChildServer, startChild } from './child-server.ts'
import { benchEmails, benchPassword } from './fill-database.ts'
import { type Figures, measureByTurns, type Target } from './measure.ts'
import type { Comparison } from './report.ts'
import { type Call, prepareRows, type Row, type Tokens } from './rows.ts'
import type { Library, Setting } from './setting.ts'

/** Measures each kind of request on the server, the floor and its bare route by turns. */
export async function compareRoutes(setting: Setting, library: Library, server: ChildServer): Promise<Comparison[]> {
  const { work, logFile, only } = setting
  const { tokens, reader } = await logInAll(server.origin)
  if (reader.userId !== library.filled.readerId) throw new Error('The reader is somebody else')
  const env = bareEnv(library, work, tokens.reader)
  const start = (script: string) => startChild(script, env, { readyPath: '/ready', logFile })
  const [floor, bare] = [await start('bench/floor-server.ts'), await start('bench/bare-server.ts')]
  const rows = (await prepareRows(library, only))(tokens)
  const comparisons: Comparison[] = []
  try {
    for (const row of rows) {
      const { ours, ...others } = await measureRow(setting, row, {
        ours: { ...row.ours, server },
        ...(row.floor && { floor: { ...row.floor, server: floor } }),
        ...(row.bare && { bare: { ...row.bare, server: bare } }),
      })
      const { name, connections } = row
      comparisons.push({ name, connections, ours, ...others, residentBytes: server.readMemory() })
    }
    return comparisons
  } finally {
    await Promise.all([floor.stop(), bare.stop()])
  }
}

/** Puts the calls to their servers by turns. @returns the figures by the names of the calls. */
export async function measureRow<Calls extends Record<string, Call & { server: ChildServer }>>(
  { pace, say }: Pick<Setting, 'pace' | 'say'>,
  { name, connections }: Pick<Row, 'name' | 'connections'>,
  calls: Calls,
): Promise<{ [Name in keyof Calls]: Figures }> {
  say(`Measuring: ${name} …`)
  const targets = Object.values(calls).map(({ server, ...call }) => toTarget(server, call, connections))
  const figures = await measureByTurns(targets, pace.slices, pace.sliceMs)
  return Object.fromEntries(Object.keys(calls).map((which, index) => [which, figures[index]])) as {
    [Name in keyof Calls]: Figures
  }
}

export const toTarget = ({ origin }: ChildServer, { path, ...call }: Call, connections: number): Target => ({
  ...call,
  url: `${origin}${path}`,
  connections,
})

/** Logs everybody in: the first has some likes, the second thousands. */
export async function logInAll(origin: string): Promise<{ tokens: Tokens; reader: { userId: string } }> {
  const [reader, heavy] = [await logIn(origin), await logIn(origin, 1)]
  const others: string[] = []
  for (let student = 2; student < benchEmails.length; student++) others.push((await logIn(origin, student)).accessToken)
  const crowd = [reader.accessToken, heavy.accessToken, ...others]
  return { tokens: { reader: reader.accessToken, heavy: heavy.accessToken, crowd }, reader }
}

export async function logIn(origin: string, student = 0): Promise<{ accessToken: string; userId: string }> {
  const response = await fetch(`${origin}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: benchEmails[student], password: benchPassword }),
  })
  if (!response.ok) throw new Error(`The login failed: ${await response.text()}`)
  const { accessToken, user } = (await response.json()) as { accessToken: string; user: { _id: string } }
  return { accessToken, userId: user._id }
}

/** The bare routes look after the very session that the server does. */
function bareEnv({ databaseUrl, dataDir, filled }: Library, work: string, accessToken: string): Record<string, string> {
  const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }
  return {
    DATABASE_URL: databaseUrl,
    BENCH_READER: filled.readerId,
    BENCH_HEAVY: filled.heavyId,
    BENCH_WRITER: filled.writerId,
    BENCH_NOTE: filled.noteId,
    BENCH_SESSION: claims.sid,
    BENCH_EMAIL: benchEmails[0] ?? '',
    BENCH_FILES: join(work, 'bare-files'),
    BENCH_STORED: join(dataDir, 'files'),
  }
}
