import { setTimeout as delay } from 'node:timers/promises'
import { logInAll, toTarget } from './compare-routes.ts'
import { describeRun, megabytes, ms, rate, table } from './markdown.ts'
import { noSamples, putLoad, summarise } from './measure.ts'
import { median } from './median.ts'
import { prepareRows } from './rows.ts'
import { prepareRun } from './setting.ts'

/** `npm run bench:memory`: what the server has resident in an hour of the mix of searches, or of the first row that `--only` names, at full speed. */
const setting = await prepareRun('npm run bench:memory')
const { run, noteCount, only, pace, say, openLibrary, cleanUp } = setting
/** Of an hour, five minutes: less than what a token lives. */
const parts = 12
const slices = 10
const sliceMs = pace.longMs / parts / slices

try {
  const library = await openLibrary()
  const { server, idleBytes } = await setting.startServer(library)
  const rowsOf = await prepareRows(library, only || 'mix of searches')
  const findRow = async () => {
    const [row] = rowsOf((await logInAll(server.origin)).tokens)
    if (!row) throw new Error(`No row has ${only} in its name`)
    return row
  }
  const { name, connections } = await findRow()
  const lines: string[][] = []
  for (let part = 1; part <= parts; part++) {
    const samples = noSamples()
    const resident: number[] = []
    const target = toTarget(server, (await findRow()).ours, connections)
    const watch = setInterval(() => resident.push(server.readMemory()), 1_000)
    try {
      for (let slice = 0; slice < slices; slice++) await putLoad(target, sliceMs, samples)
    } finally {
      clearInterval(watch)
    }
    const { requestsPerSecond, p50Ms, p99Ms, failures } = summarise(samples)
    const line = [
      ((part * slices * sliceMs) / 60_000).toFixed(1),
      rate(requestsPerSecond),
      ms(p50Ms),
      ms(p99Ms),
      `${failures}`,
      megabytes(median(resident)),
      megabytes(Math.max(...resident)),
      megabytes(resident.at(-1) ?? Number.NaN),
    ]
    lines.push(line)
    say(line.join(' '))
  }
  // Until V8 has collected what it leaves for a quiet moment.
  await delay(pace.longMs / 30)
  const head = ['Minutes', 'Requests/s', 'p50', 'p99', 'Failures', 'Resident, median', 'most', 'at the end']
  process.stdout.write(
    `${describeRun(run)}\n\n${name}, ${connections} connections, ${noteCount.toLocaleString('en')} notes. Resident before it ` +
      `${megabytes(idleBytes)}, and some time after it ${megabytes(server.readMemory())}.\n\n${table(head, lines)}\n`,
  )
} finally {
  await cleanUp()
}
