import { parseArgs } from 'node:util'
import { readConfig } from '../server/config.ts'
import { createLogger } from '../server/log.ts'
import { reportAndExit } from '../server/main.ts'
import { openLectern } from './admin/open-lectern.ts'
import { reindex } from './admin/reindex.ts'

/** `npm run admin -- <command>`: what an operator does now and then, in the environment of the server and beside it. */
const usage = `
  npm run admin -- reindex         makes the text and pictures that notes lack, and tries again what was given up
  npm run admin -- reindex --all   makes all of them anew, and has words on pictures recognised anew by the servers

`

async function runCommand(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' } } })
  if (positionals.length !== 1 || positionals[0] !== 'reindex') {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
  const config = readConfig(process.env)
  const lectern = await openLectern(config, createLogger(config))
  try {
    await reindex(lectern.deps, { all: values.all ?? false, signal: stopping.signal }, process.stdout)
  } finally {
    await lectern.close()
  }
}

runCommand().catch(reportAndExit)
