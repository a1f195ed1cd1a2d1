import { join } from 'node:path'
import { measureBundle } from '../tools/bundle-sizes.ts'
import { startServer } from './child-server.ts'
import { compareRoutes } from './compare-routes.ts'
import { type Report, writeReport } from './report.ts'
import { prepareRun } from './setting.ts'

/** `npm run bench`: figures of the server beside a floor and bare routes, in one run. */
const setting = await prepareRun('npm run bench')
const { run, noteCount, pace, work, logFile, serverEnv, say } = setting

async function measureStarts(): Promise<Pick<Report, 'freshStartMs' | 'laterStartsMs'>> {
  const env = { ...serverEnv, DATA_DIR: join(work, 'starts') }
  const times: number[] = []
  for (let i = 0; i <= pace.laterStarts; i++) {
    const server = await startServer(env, logFile)
    times.push(server.readyMs)
    await server.stop()
  }
  const [freshStartMs = Number.NaN, ...laterStartsMs] = times
  return { freshStartMs, laterStartsMs }
}

try {
  say('Starting the server a few times …')
  const starts = await measureStarts()
  const library = await setting.openLibrary()
  const { server, idleBytes } = await setting.startServer(library)
  const comparisons = await compareRoutes(setting, library, server)
  const bundle = measureBundle()
  process.stdout.write(writeReport({ run, notes: noteCount, ...starts, comparisons, idleBytes, bundle }))
} finally {
  await setting.cleanUp()
}
