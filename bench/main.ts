import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onePagePdf } from '../server/test/pdf.ts'
import { type ServerProcess, startServerProcess } from '../server/test/server-process.ts'
import { fillLibrary, makeBenchPdf } from './library.ts'
import { loadInTurn, type Request } from './load.ts'
import { type BenchSettings, password } from './settings.ts'

/**
 * `npm run bench`: Lectern beside bare Fastify routes that do the same work, in turn in one run; what counts is the
 * ratio. `--quick` shows that it runs; `--notes N` sets the size of the library.
 */
const quick = process.argv.includes('--quick')
const noteCount = Number(process.argv[process.argv.indexOf('--notes') + 1]) || 20_000
const rounds = quick ? 1 : 3
const seconds = quick ? 1 : 5
const say = (text: string) => process.stdout.write(`${text}\n`)

async function startBare(settings: BenchSettings) {
  const path = fileURLToPath(new URL('./bare-server.ts', import.meta.url))
  const child = spawn(process.execPath, [path], {
    env: { ...process.env, BENCH_SETTINGS: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { url: /http:\S+/.exec(String(line))?.[0] ?? '', stop: () => child.kill() }
}

async function residentMb({ process: { pid } }: ServerProcess): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1]
  return kilobytes ? `${Math.round(Number(kilobytes) / 1024)} MB` : 'unknown'
}

async function timeStart(dataDir?: string) {
  const before = performance.now()
  const server = await startServerProcess(dataDir)
  return { server, ms: Math.round(performance.now() - before) }
}

const first = await timeStart()
await first.server.interrupt()
const { server, ms: secondMs } = await timeStart(first.server.dataDir)
const idle = await residentMb(server)
const db = await server.connectToDatabase()
const { userId, email } = await fillLibrary(db, noteCount)
const bare = await startBare({
  databaseUrl: await server.databaseUrl(),
  filesFolder: join(server.dataDir, 'files'),
  userId,
  email,
})

try {
  const json = { 'content-type': 'application/json' }
  const credentials = JSON.stringify({ email, password })
  const login = await fetch(`${server.url}/api/users/login`, { method: 'POST', headers: json, body: credentials })
  const { accessToken } = (await login.json()) as { accessToken: string }
  const auth = { authorization: `Bearer ${accessToken}` }

  const bytes = makeBenchPdf(onePagePdf)
  const form = new FormData()
  form.set('courseCode', 'BEN100')
  form.set('academicYear', '2025–26')
  form.set('note', new Blob([bytes], { type: 'application/pdf' }), 'bench.pdf')
  const encoded = new Response(form)
  const multipart = { ...auth, 'content-type': encoded.headers.get('content-type') ?? '' }
  const multipartBody = Buffer.from(await encoded.arrayBuffer())
  const uploaded = await fetch(`${server.url}/api/notes`, { method: 'POST', headers: multipart, body: multipartBody })
  const { notes } = (await uploaded.json()) as { notes: { _id: string }[] }
  const noteId = notes[0]?._id
  const { rows } = await db.query('SELECT file_key FROM notes WHERE id = $1', [noteId])

  const scenarios: [string, Request, Request][] = [
    [
      'browse, first page',
      { url: `${server.url}/api/notes`, headers: auth, connections: 10 },
      { url: `${bare.url}/browse`, connections: 10 },
    ],
    [
      'search by title and course',
      { url: `${server.url}/api/notes?title=algebra&courseCode=mat`, headers: auth, connections: 10 },
      { url: `${bare.url}/search`, connections: 10 },
    ],
    [
      'view a PDF of 200 kB',
      { url: `${server.url}/api/notes/${noteId}/view`, headers: auth, connections: 10 },
      { url: `${bare.url}/view/${rows[0].file_key}`, connections: 10 },
    ],
    [
      'log in',
      { url: `${server.url}/api/users/login`, method: 'POST', headers: json, body: credentials, connections: 4 },
      { url: `${bare.url}/login`, method: 'POST', connections: 4 },
    ],
    [
      'upload a PDF of 200 kB',
      { url: `${server.url}/api/notes`, method: 'POST', headers: multipart, body: multipartBody, connections: 4 },
      {
        url: `${bare.url}/upload`,
        method: 'POST',
        headers: { 'content-type': 'application/pdf' },
        body: bytes,
        connections: 4,
      },
    ],
  ]

  say(`Start to ready: ${first.ms} ms with a fresh folder, ${secondMs} ms on existing data`)
  say(`Library: ${noteCount} notes; each figure the median of ${rounds} runs of ${seconds} s\n`)
  say('| What | Lectern req/s | p50 ms | p99 ms | Bare req/s | p50 ms | p99 ms | Lectern / bare |')
  say('|---|--:|--:|--:|--:|--:|--:|--:|')
  for (const [name, ours, theirs] of scenarios) {
    const [lectern, plain] = await loadInTurn(ours, theirs, rounds, seconds)
    const cells = [lectern, plain].flatMap((f) => [f.requestsPerSecond.toFixed(0), f.p50Ms, f.p99Ms])
    const failed = lectern.failed + plain.failed
    const ratio = (lectern.requestsPerSecond / plain.requestsPerSecond).toFixed(2)
    say(`| ${name}${failed ? ` (${failed} failed)` : ''} | ${cells.join(' | ')} | ${ratio} |`)
  }
  say(`\nMemory of the server: ${idle} idle, ${await residentMb(server)} after the run`)
} finally {
  await db.end()
  bare.stop()
  await server.stop()
}
