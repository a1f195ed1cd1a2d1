import { findFreePort } from '../server/free-port.ts'
import { logInAll, toTarget } from './compare-routes.ts'
import { describeRun, table } from './markdown.ts'
import { noSamples, putLoad } from './measure.ts'
import { sumBusyTime } from './profile/busy-time.ts'
import { recordProfile } from './profile/record.ts'
import { prepareRows } from './rows.ts'
import { prepareRun } from './setting.ts'

/** `npm run bench:profile`: whose code keeps the server's main thread busy, and how long for each request, as Markdown. */
const setting = await prepareRun('npm run bench:profile')
const { run, only, pace, openLibrary, say, cleanUp } = setting
/** Part of a request below which nothing is worth a line. */
const leastShare = 0.03

const sumOf = (times: Iterable<number>) => [...times].reduce((sum, time) => sum + time, 0)

try {
  const library = await openLibrary()
  const inspectPort = await findFreePort()
  const { server } = await setting.startServer(library, [`--inspect=127.0.0.1:${inspectPort}`])
  const rows = (await prepareRows(library, only))((await logInAll(server.origin)).tokens)
  const found: { name: string; times: Map<string, number>; all: number; requests: number }[] = []
  for (const { name, connections, ours } of rows) {
    say(`${name} …`)
    const target = toTarget(server, ours, connections)
    const [warmUpMs, samples] = [pace.sliceMs, noSamples()]
    await putLoad(target, warmUpMs, null)
    const profile = await recordProfile(inspectPort, () => putLoad(target, pace.slices * pace.sliceMs, samples))
    const [times, requests] = [sumBusyTime(profile), samples.latenciesMs.length]
    if (requests === 0 || samples.failures > 0) throw new Error(`${samples.failures} requests failed`)
    found.push({ name, times, all: sumOf(times.values()), requests })
  }
  const owners = [...new Set(found.flatMap(({ times }) => [...times.keys()]))]
  const shareOf = (owner: string) => Math.max(...found.map(({ times, all }) => (times.get(owner) ?? 0) / all))
  const counted = owners.filter((owner) => shareOf(owner) >= leastShare).toSorted((a, b) => shareOf(b) - shareOf(a))
  const line = (ofRow: (row: (typeof found)[number]) => number) =>
    found.map((row) => (ofRow(row) / row.requests).toFixed(2))
  const lines = counted.map((owner) => [owner, ...line(({ times }) => times.get(owner) ?? 0)])
  const head = ['Milliseconds of the main thread', ...found.map(({ name }) => name)]
  process.stdout.write(`${describeRun(run)}\n\n${table(head, [['All', ...line(({ all }) => all)], ...lines])}\n`)
} finally {
  await cleanUp()
}
