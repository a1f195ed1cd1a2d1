import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { SearchPage } from '../packages/contract/search.ts'
import { connect } from '../server/platform/db/client.ts'
import { measureInTurns, median, spreadOf } from './figures.ts'
import { type Library, options, say, withLibrary } from './library.ts'
import {
  inTurn,
  logInAll,
  makeScan,
  type Student,
  send,
  sideOf1MB,
  upload,
  uploadLoad,
  uploadToLectern,
} from './load.ts'
import { startDirectus } from './peer/directus.ts'
import { memoryMB, type Server, startLectern, watchMemory } from './processes.ts'
import { loadRow, type Row, report } from './table.ts'

/**
 * `npm run bench -- uploads`: measures uploads compared with Directus, the time from upload to search, and 10,000
 * documents.
 */

const connections = 10
const documentCount = options.quick ? 50 : 10_000

await withLibrary({ notes: 2_000 }, async (library) => {
  const server = await startLectern(library.env, library.logFile)
  const directus = options.peer ? await startDirectus(library) : undefined
  const students = await logInAll(server.origin)
  const rows: Row[] = []
  const pdf = await makeScan('Lecture notes of the benchmarks.', sideOf1MB)
  for (const [name, isAnonymous, atMost] of [
    ['named', false, 300],
    ['anonymous', true, 1_000],
  ] as const) {
    say(`Uploads, ${name} …`)
    const theirs = directus && inTurn([() => upload('/files', pdf)], [directus.student])
    const loads = {
      lectern: uploadLoad(server.origin, connections, inTurn([() => uploadToLectern(pdf, isAnonymous)], students)),
      directus: theirs && uploadLoad(directus.server.origin, connections, theirs),
    }
    const { lectern, directus: peer } = await measureInTurns(loads)
    rows.push(loadRow(`Upload of 1 MB, ${name}`, 'p95Ms', { lectern, directus: peer }, { atMost }))
    if (isAnonymous || !peer) continue
    const noise = lectern.spread('perSecond') + peer.spread('perSecond')
    const measured = lectern.of('perSecond') / peer.of('perSecond')
    rows.push({ name: 'Uploads a second', unit: 'of Directus', budget: { atLeast: 0.8 }, measured, noise })
  }
  await directus?.server.stop()
  rows.push(await measureUntilFound(server.origin, students))
  rows.push(...(await measureMany(server, students, library)))
  await server.stop()
  await report('uploads', `${connections} students upload at any moment`, rows)
})

/** Sends one upload after another, each with a unique word, after the jobs of the previous one have finished. */
async function measureUntilFound(origin: string, students: Student[]): Promise<Row> {
  say('From upload to found …')
  const timesMs: number[] = []
  for (let n = 0; n <= (options.quick ? 5 : 30); n++) {
    timesMs.push(await timeUntilFound(origin, students))
    await delay(1_000)
  }
  const counted = timesMs.slice(1)
  const name = 'From upload to found by the text, median'
  return { name, unit: 'ms', budget: { atMost: 200 }, measured: median(counted), noise: spreadOf(counted) }
}

/**
 * Uploads many small documents as fast as possible and waits until the last is found; measures memory of server and
 * PostgreSQL, also a minute after the last thumbnail.
 */
async function measureMany(
  { origin, pid }: Server,
  students: Student[],
  { postgresPid, databaseUrl }: Library,
): Promise<Row[]> {
  const pids = [pid, postgresPid]
  const after = `${documentCount.toLocaleString('en')} uploads`
  say(`${after} …`)
  const memory = watchMemory(...pids)
  const pdf = await makeScan('Lecture notes of the benchmarks.', 64)
  const next = inTurn([() => uploadToLectern(pdf, false)], students)
  let sent = 0
  const uploadRest = async () => {
    while (sent++ < documentCount) await send(origin, next())
  }
  await Promise.all(Array.from({ length: connections }, uploadRest))
  const foundMs = await timeUntilFound(origin, students, 500)
  const mostMB = memory()
  say('Thumbnails …')
  await waitForThumbnails(databaseUrl)
  await delay(options.quick ? 5_000 : 60_000)
  return [
    { name: `Until the last of ${after} is found`, unit: 's', budget: { atMost: 60 }, measured: foundMs / 1000 },
    { name: `Memory with PostgreSQL, ${after}`, unit: 'MB', budget: { atMost: 600 }, measured: mostMB },
    { name: 'Memory with PostgreSQL, idle again', unit: 'MB', budget: { atMost: 300 }, measured: memoryMB(...pids) },
  ]
}

/**
 * Uploads a text with a new word, and looks for it every `everyMs`.
 * @returns milliseconds from the response until a search finds it.
 */
async function timeUntilFound(origin: string, students: Student[], everyMs = 5): Promise<number> {
  // Only letters are used, so that every text parser sees one word.
  const word = `zy${randomUUID().replace(/[^a-f]/g, '')}`
  const pdf = await makeScan(`The word is ${word}.`, 64)
  await send(origin, inTurn([uploadToLectern(pdf, false)], students)())
  const startedAt = performance.now()
  const search = inTurn([{ path: `/api/search?text=${word}` }], students)
  while ((await send<SearchPage>(origin, search())).hits.length === 0) await delay(everyMs)
  return performance.now() - startedAt
}

async function waitForThumbnails(databaseUrl: string): Promise<void> {
  await using client = await connect({ connectionString: databaseUrl })
  const pending = "SELECT FROM documents WHERE thumbnail_state = 'pending' LIMIT 1"
  while ((await client.query(pending)).rowCount !== 0) await delay(5_000)
}
