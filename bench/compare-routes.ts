import { join } from 'node:path'
import { pino } from 'pino'
import { openPool } from '../server/db/pool.ts'
import { type ChildServer, startChild } from './child-server.ts'
import { benchEmails, benchPassword, type Filled } from './fill-database.ts'
import { measureByTurns, type Target } from './measure.ts'
import type { Comparison } from './report.ts'
import { findCursors, findLikable, listRows, oneSearch, type Row } from './rows.ts'

type Setting = {
  server: ChildServer
  databaseUrl: string
  dataDir: string
  /** A folder of our own. */
  work: string
  logFile: string
  filled: Filled
  pdf: Buffer
  pace: { slices: number; sliceMs: number }
  say(text: string): void
  /** What the names of the rows to be measured hold. */
  only: string
}

type Servers = { ours: ChildServer; floor: ChildServer; bare: ChildServer }

/** Measures each kind of request on the server, the floor and its bare route by turns. */
export async function compareRoutes(setting: Setting): Promise<Comparison[]> {
  const { server, logFile } = setting
  const [reader, heavy] = [await logIn(server.origin), await logIn(server.origin, 1)]
  if (reader.userId !== setting.filled.readerId) throw new Error('The reader is somebody else')
  const start = (script: string) =>
    startChild(script, bareEnv(setting, reader.accessToken), { readyPath: '/ready', logFile })
  const servers = {
    ours: server,
    floor: await start('bench/floor-server.ts'),
    bare: await start('bench/bare-server.ts'),
  }
  const tokens = { reader: reader.accessToken, heavy: heavy.accessToken }
  try {
    return await measureRows(setting, servers, await prepareRows(setting, tokens))
  } finally {
    await Promise.all([servers.floor.stop(), servers.bare.stop()])
  }
}

async function prepareRows(setting: Setting, tokens: { reader: string; heavy: string }): Promise<Row[]> {
  const { db } = openPool(setting.databaseUrl, 1, pino({ level: 'silent' }))
  try {
    const rows = listRows({
      ...setting,
      cursors: await findCursors(db),
      likable: await findLikable(db, setting.filled),
      as: (who) => ({ authorization: `Bearer ${tokens[who]}` }),
    })
    return rows.filter(({ name }) => name.includes(setting.only))
  } finally {
    await db.destroy()
  }
}

async function measureRows({ pace, say }: Setting, servers: Servers, rows: Row[]): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const { name, connections, ...calls } of rows) {
    say(`Measuring: ${name} …`)
    const asked = (['ours', 'floor', 'bare'] as const).filter((which) => calls[which])
    const targets = asked.map((which): Target => {
      const { path, ...call } = calls[which] ?? calls.ours
      return { ...call, url: `${servers[which].origin}${path}`, connections }
    })
    const figures = await measureByTurns(targets, pace.slices, pace.sliceMs)
    const seen = Object.fromEntries(asked.map((which, index) => [which, figures[index]]))
    if (!seen.ours) throw new Error('A measurement is missing')
    const { ours, floor, bare } = seen
    comparisons.push({ name, connections, ours, floor, bare, residentBytes: servers.ours.readMemory() })
  }
  return comparisons
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
function bareEnv({ databaseUrl, dataDir, work, filled }: Setting, accessToken: string): Record<string, string> {
  const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }
  return {
    DATABASE_URL: databaseUrl,
    BENCH_READER: filled.readerId,
    BENCH_HEAVY: filled.heavyId,
    BENCH_WRITER: filled.writerId,
    BENCH_NOTE: filled.noteId,
    BENCH_SESSION: claims.sid,
    BENCH_EMAIL: benchEmails[0] ?? '',
    BENCH_SEARCH: oneSearch,
    BENCH_FILES: join(work, 'bare-files'),
    BENCH_STORED: join(dataDir, 'files'),
  }
}
