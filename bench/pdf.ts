import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { openDiskStorage } from '../server/files/disk.ts'
import { startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import { onePagePdf } from '../server/test/pdf.ts'
import { startChild, stopChildren } from './child-server.ts'
import { fillDatabase } from './fill-database.ts'
import { median } from './median.ts'
import { generatedFiles } from './pdf/make-files.ts'
import { measureFirstPage } from './pdf/measure-reader.ts'
import { measureBrowsing, measureUploads } from './pdf/measure-server.ts'
import { type FolderFigures, type Outcome, readFolder } from './pdf/read-folder.ts'

/**
 * `npm run bench:pdf [folder…]`: what the jobs that read documents take. With folders, of the PDFs in these, with the
 * outcome of each file; without, of files that are generated, and beside a server. `--only` names some of its parts.
 */
const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: 'files,uploads,reader,hostile' } },
})
const isWanted = (part: string) => values.only.split(',').includes(part)
const work = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
// PostgreSQL's own account has to pass where we are root.
await chmod(work, 0o711)
const say = (text: string) => process.stdout.write(`${text}\n`)
say(
  `${new Date().toISOString().slice(0, 16)} UTC, Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model},`,
)
say(`load average ${loadavg()[0]?.toFixed(1)} at the start.\n`)

try {
  if (folders.length > 0) for (const folder of folders) await measureFolder(folder)
  else {
    if (isWanted('files')) await measureGenerated()
    await measureServer()
  }
  say(`\nLoad average ${loadavg()[0]?.toFixed(1)} at the end.`)
} finally {
  await stopChildren()
  await rm(work, { recursive: true, force: true })
}

async function measureFolder(folder: string): Promise<void> {
  const figures = await readFolder(folder, ({ name, text, picture, ms }) =>
    say(`${name}\t${text}\t${picture}\t${ms} ms`),
  )
  say(`\n| ${folder} | Files | Files/s | Median | Slowest | Peak memory |\n| --- | ---: | ---: | ---: | ---: | ---: |`)
  say(`| | ${figures.outcomes.length} | ${describe(figures)} |`)
  for (const product of ['text', 'picture'] as const) {
    const counts = Map.groupBy(figures.outcomes, (outcome) => outcome[product])
    say(`\n| ${product} | Files |\n| --- | ---: |`)
    for (const [state, outcomes] of counts) say(`| ${state} | ${outcomes.length} |`)
  }
}

function describe({ outcomes, seconds, peakBytes }: FolderFigures): string {
  const times = outcomes.map(({ ms }) => ms).sort((a, b) => a - b)
  const peak = Number.isNaN(peakBytes) ? 'unknown' : `${Math.round(peakBytes / 2 ** 20)} MB`
  return `${(outcomes.length / seconds).toFixed(1)} | ${median(times)} ms | ${times.at(-1)} ms | ${peak}`
}

async function measureGenerated(): Promise<void> {
  say(
    '| File | Size | Text | Characters | Picture | Took | Peak memory |\n| --- | ---: | --- | ---: | --- | ---: | ---: |',
  )
  for (const [name, make] of Object.entries(generatedFiles)) {
    const folder = join(work, name)
    await mkdir(folder)
    const content = await make()
    await writeFile(join(folder, 'file.pdf'), content)
    const { outcomes, peakBytes } = await readFolder(folder, () => {})
    const { text, characters, picture, ms } = outcomes[0] as Outcome
    const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`
    say(
      `| ${name} | ${mb(content.length)} | ${text} | ${characters.toLocaleString('en')} | ${picture} | ${ms} ms | ${mb(peakBytes)} |`,
    )
    await rm(folder, { recursive: true })
  }
}

async function measureServer(): Promise<void> {
  const log = pino({ level: 'warn' }, process.stderr)
  const database = await startEmbeddedDatabase({ dataDir: join(work, 'database'), password: 'bench', log })
  try {
    await migrate(database.url, log)
    const { db } = openPool(database.url, 4, log)
    const dataDir = join(work, 'data')
    await fillDatabase(db, await openDiskStorage(join(dataDir, 'files')), 20_000, onePagePdf)
    await db.destroy()
    const secret = 'a secret of the benchmarks, long enough'
    const env = {
      RATE_LIMIT: 'off',
      MAX_FILE_MB: '110',
      // It would go on for an hour with the books of scans, on the processors that the browser is measured on.
      RECOGNITION: 'off',
      LOG_LEVEL: 'error',
      SECRET: secret,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
    }
    const server = await startChild('server/main.ts', env, { readyPath: '/readyz', logFile: join(work, 'server.log') })
    if (isWanted('uploads')) {
      const seconds = await measureUploads(server, 15)
      const [middle, slowest] = [median(seconds), seconds.at(-1)].map((value) => `${value?.toFixed(2)} s`)
      say(
        `\nFrom an upload of 20 pages to text and picture: median ${middle} of ${seconds.length}, slowest ${slowest}.`,
      )
    }
    if (isWanted('reader')) {
      say(
        '\n| First page of 100 MB of scans, at 1.6 Mbit/s and 150 ms | Took | Came over the network |\n| --- | ---: | ---: |',
      )
      for (const { name, seconds, bytes } of await measureFirstPage(server, 5))
        say(`| ${name} | ${seconds.toFixed(1)} s | ${Math.round(bytes / 1000)} kB |`)
    }
    if (isWanted('hostile')) {
      const { idle, beside } = await measureBrowsing(server)
      say('\n| Browse | Requests | p50 | p99 | Failures |\n| --- | ---: | ---: | ---: | ---: |')
      for (const [name, figures] of Object.entries({ 'nothing else': idle, 'hostile files': beside })) {
        const { requests, p50Ms, p99Ms, failures } = figures
        say(`| ${name} | ${requests} | ${p50Ms.toFixed(1)} ms | ${p99Ms.toFixed(1)} ms | ${failures} |`)
      }
    }
    await server.stop()
  } finally {
    await database.stop()
  }
}
