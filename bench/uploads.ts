import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { NotePage, SearchPage } from '../contract/search.ts'
import { makeScan, sideOf1MB, upload, uploadToLectern } from './documents.ts'
import { calibrate, type Load, measureInTurns, median, spreadOf } from './figures.ts'
import { options, pace, say, withLibrary } from './library.ts'
import { type Call, httpLoad } from './load.ts'
import { type Directus, startDirectus } from './peer/directus.ts'
import { memoryMB, startLectern, watchMemory } from './processes.ts'
import { getJson, inTurn, logInAll, type Students } from './students.ts'
import { loadRow, type Row, report } from './table.ts'

/** `npm run bench -- uploads`: uploads and downloads beside Directus, from upload to found, and 10,000 documents. */

const uploaders = 10
const documentCount = options.quick ? 50 : 10_000
const uploadBudget = { named: { atMost: 300 }, anonymous: { atMost: 1_000 }, ofDirectus: { atLeast: 0.8 } }

await withLibrary({ notes: 2_000 }, async (library) => {
  const server = await startLectern(library.env, library.logFile)
  const directus = options.peer ? await startDirectus(library) : null
  if (!directus) say('Without --peer nothing is compared with Directus.')
  const students = await logInAll(server.origin)
  const pdf = await makeScan('Lecture notes of the benchmarks.', sideOf1MB)
  const rows: Row[] = []

  const lectern = (isAnonymous: boolean) => eachOf(server.origin, students, () => uploadToLectern(pdf, isAnonymous))
  const theirs = directus
    ? eachOf(directus.server.origin, directus.students, () => upload('/files', {}, 'file', pdf))
    : undefined
  for (const kind of ['named', 'anonymous'] as const) {
    say(`Uploads, ${kind} …`)
    const figures = await measureInTurns({ lectern: lectern(kind === 'anonymous'), directus: theirs }, pace)
    const name = `${uploaders} students upload 1 MB, ${kind}`
    rows.push(loadRow(name, 'p95Ms', figures, uploadBudget[kind]))
    if (kind === 'anonymous' || !figures.directus) continue
    const share = figures.lectern.perSecond / figures.directus.perSecond
    const noise = figures.lectern.spread('perSecond') + figures.directus.spread('perSecond')
    rows.push({ name: `${name}, rate`, unit: 'of Directus', budget: uploadBudget.ofDirectus, measured: share, noise })
  }

  say('Downloads …')
  const { notes } = await send<Pick<NotePage, 'notes'>>(server.origin, uploadToLectern(pdf, false), students[0])
  const view = httpLoad(server.origin, uploaders, inTurn([{ path: `/api/notes/${notes[0]?._id}/view` }], students))
  const theirView = directus ? await downloadOf(directus, pdf) : undefined
  rows.push(loadRow('Download of 1 MB', 'p95Ms', await measureInTurns({ lectern: view, directus: theirView }, pace)))
  await directus?.server.stop()

  rows.push(await measureUntilFound(server.origin, students))
  rows.push(...(await measureMany(server.origin, students, [server.pid, library.postgresPid])))
  await server.stop()
  await report('uploads', `${library.noteCount.toLocaleString('en')} notes, ${uploaders} connections`, rows)
})

async function downloadOf({ server, students }: Directus, pdf: Buffer): Promise<Load> {
  const { data } = await send<{ data: { id: string } }>(server.origin, upload('/files', {}, 'file', pdf), students[0])
  return httpLoad(server.origin, uploaders, inTurn([{ path: `/assets/${data.id}` }], students))
}

/** One upload after the other, each with a word that no other text has, when all work for the one before is done. */
async function measureUntilFound(origin: string, students: Students): Promise<Row> {
  say('From upload to found …')
  const timesMs: number[] = []
  for (let n = 0; n <= (options.quick ? 5 : 30); n++) {
    calibrate()
    const word = newWord()
    await send(
      origin,
      uploadToLectern(await makeScan(`The word is ${word}.`, 64), false),
      students[n % students.length],
    )
    timesMs.push(await untilFound(origin, word, students))
    await delay(1_000)
  }
  const counted = timesMs.slice(1)
  const name = 'From upload to found by a word of the text, median'
  return { name, unit: 'ms', budget: { atMost: 200 }, measured: median(counted), noise: spreadOf(counted) }
}

/** So many small documents as fast as they are taken, then until the last is found, and the memory of server and PostgreSQL. */
async function measureMany(origin: string, students: Students, pids: number[]): Promise<Row[]> {
  say(`${documentCount} documents …`)
  const [word, pdf] = [newWord(), await makeScan('Lecture notes of the benchmarks.', 64)]
  const [settleMs, memory] = [options.quick ? 5_000 : 60_000, watchMemory(...pids)]
  let sent = 0
  const uploadRest = async (connection: number) => {
    while (sent++ < documentCount) {
      await send(origin, uploadToLectern(pdf, false), students[(sent + connection) % students.length])
    }
  }
  await Promise.all(Array.from({ length: uploaders }, (_, connection) => uploadRest(connection)))
  const last = await makeScan(`The word is ${word}.`, 64)
  await send(origin, uploadToLectern(last, false), students[0])
  const foundMs = await untilFound(origin, word, students)
  const mostMB = memory.stop()
  await delay(settleMs)
  const what = `after ${documentCount.toLocaleString('en')} uploads`
  return [
    { name: `Until the last is found ${what}`, unit: 's', budget: { atMost: 60 }, measured: foundMs / 1000 },
    { name: `Memory with PostgreSQL, most ${what}`, unit: 'MB', budget: { atMost: 600 }, measured: mostMB },
    { name: `Memory with PostgreSQL, idle ${what}`, unit: 'MB', budget: { atMost: 300 }, measured: memoryMB(...pids) },
  ]
}

/** Letters alone, so that it is one word to every reader of the text. */
function newWord(): string {
  return `zy${randomUUID().replace(/[^a-f]/g, '')}`
}

async function untilFound(origin: string, word: string, students: Students): Promise<number> {
  const startedAt = performance.now()
  const call = { path: `/api/search?text=${word}`, headers: students[1] ?? {} }
  while ((await getJson<SearchPage>(origin, call)).hits.length === 0) await delay(5)
  return performance.now() - startedAt
}

/** @throws when the server refuses. */
async function send<T>(origin: string, { path, headers, body }: Call, student = {}): Promise<T> {
  const sent = { method: 'POST', headers: { ...headers, ...student }, body: Uint8Array.from(Buffer.from(body ?? '')) }
  const response = await fetch(origin + path, sent)
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

/** Each of the connections is another student. */
function eachOf(origin: string, students: Students, next: () => Call): Load {
  let turn = 0
  return httpLoad(origin, uploaders, () => {
    const call = next()
    return { ...call, headers: { ...call.headers, ...students[turn++ % students.length] } }
  })
}
