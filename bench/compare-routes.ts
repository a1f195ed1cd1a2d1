import { join } from 'node:path'
import { type ChildServer, startChild } from './child-server.ts'
import { benchEmails, benchPassword } from './fill-database.ts'
import { measureByTurns, type Target } from './measure.ts'
import type { Comparison } from './report.ts'

type Setting = {
  server: ChildServer
  databaseUrl: string
  dataDir: string
  /** A folder of our own. */
  work: string
  logFile: string
  filled: { noteId: string; readerId: string }
  pdf: Buffer
  pace: { slices: number; sliceMs: number }
  say(text: string): void
}

type Pair = { name: string; connections: number; ours: Omit<Target, 'connections'>; bare: Omit<Target, 'connections'> }

const search = 'title=eigen%20week&courseCode=mat'

/** Measures each kind of request on the server and on its bare counterpart by turns. */
export async function compareRoutes(setting: Setting): Promise<Comparison[]> {
  const { server, pace, say } = setting
  const { accessToken, userId } = await logIn(server.origin)
  if (userId !== setting.filled.readerId) throw new Error('The reader is somebody else')
  const bare = await startChild('bench/bare-server.ts', bareEnv(setting, accessToken), {
    readyPath: '/ready',
    logFile: setting.logFile,
  })
  try {
    const comparisons: Comparison[] = []
    for (const { name, connections, ...pair } of pairs(setting, bare.origin, accessToken)) {
      say(`Measuring: ${name} …`)
      const targets = [
        { ...pair.ours, connections },
        { ...pair.bare, connections },
      ]
      const [ours, other] = await measureByTurns(targets, pace.slices, pace.sliceMs)
      if (!ours || !other) throw new Error('A measurement is missing')
      comparisons.push({ name, connections, ours, bare: other })
    }
    return comparisons
  } finally {
    await bare.stop()
  }
}

function pairs({ server, filled, pdf }: Setting, bare: string, accessToken: string): Pair[] {
  const headers = { authorization: `Bearer ${accessToken}` }
  const list = `${server.origin}/api/notes`
  const view = `${server.origin}/api/notes/${filled.noteId}/view`
  const json = { 'content-type': 'application/json' }
  const login = JSON.stringify({ email: benchEmails[0], password: benchPassword })
  const upload = uploadForm(pdf)
  const range = { range: 'bytes=65536-131071' }
  const kilobytes = Math.round(pdf.length / 1000)
  return [
    { name: 'Browse', connections: 10, ours: { url: list, headers }, bare: { url: `${bare}/browse` } },
    {
      name: 'Browse with a search',
      connections: 10,
      ours: { url: `${list}?${search}`, headers },
      bare: { url: `${bare}/browse-search` },
    },
    {
      name: 'Log in',
      connections: 4,
      ours: { url: `${server.origin}/api/users/login`, method: 'POST', headers: json, body: login },
      bare: { url: `${bare}/login`, method: 'POST', headers: json, body: login },
    },
    {
      name: `Upload a PDF of ${kilobytes} kB`,
      connections: 4,
      ours: { url: list, method: 'POST', headers: { ...headers, ...upload.headers }, body: upload.body },
      bare: { url: `${bare}/upload`, method: 'POST', ...upload },
    },
    { name: `View ${kilobytes} kB`, connections: 10, ours: { url: view, headers }, bare: { url: `${bare}/view` } },
    {
      name: 'View a range of 64 kB',
      connections: 10,
      ours: { url: view, headers: { ...headers, ...range } },
      bare: { url: `${bare}/view`, headers: range },
    },
  ]
}

function uploadForm(pdf: Buffer) {
  const boundary = 'lectern-bench-boundary'
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const fields = field('courseCode', 'MAT137') + field('academicYear', '2025–26') + field('isAnonymous', 'false')
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="note"; filename="A scan.pdf"\r\nContent-Type: application/pdf\r\n\r\n`
  const body = Buffer.concat([Buffer.from(fields + head), pdf, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body }
}

export async function logIn(origin: string): Promise<{ accessToken: string; userId: string }> {
  const response = await fetch(`${origin}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: benchEmails[0], password: benchPassword }),
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
    BENCH_NOTE: filled.noteId,
    BENCH_SESSION: claims.sid,
    BENCH_EMAIL: benchEmails[0] ?? '',
    BENCH_SEARCH: search,
    BENCH_FILES: join(work, 'bare-files'),
    BENCH_STORED: join(dataDir, 'files'),
  }
}
