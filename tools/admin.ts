import { parseArgs } from 'node:util'
import { readConfig } from '../server/config.ts'
import type { Deps } from '../server/deps.ts'
import { createLogger } from '../server/log.ts'
import { reportAndExit } from '../server/main.ts'
import { importCourses } from './admin/import-courses.ts'
import { openLectern } from './admin/open-lectern.ts'
import { reindex } from './admin/reindex.ts'

/** `npm run admin -- <command>`: what an operator does now and then, in the environment of the server and beside it. */
const usage = `
  npm run admin -- reindex         makes the text and pictures that notes lack, and tries again what was given up
  npm run admin -- reindex --all   makes all of them anew, and has words on pictures recognised anew by the servers

  npm run admin -- courses import FILE.csv             takes over what courses are called: a line is code,name
  npm run admin -- courses import FILE.csv --replace   and forgets the names that are not in the file

`

/** Resolves to whether it did what it was asked for; it has said why where it did not. */
type Command = (deps: Deps, signal: AbortSignal) => Promise<boolean>

function readCommand(): Command | null {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false }, replace: { type: 'boolean', default: false } },
  })
  const [name, action, file, ...rest] = positionals
  if (name === 'reindex' && action === undefined && !values.replace) {
    return async (deps, signal) => {
      await reindex(deps, { all: values.all, signal }, process.stdout)
      return true
    }
  }
  if (name === 'courses' && action === 'import' && file !== undefined && rest.length === 0 && !values.all) {
    return ({ db }) => importCourses(db, file, { replace: values.replace }, process.stdout)
  }
  return null
}

async function runCommand(): Promise<void> {
  const command = readCommand()
  if (command === null) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
  const config = readConfig(process.env)
  const lectern = await openLectern(config, createLogger(config))
  try {
    if (!(await command(lectern.deps, stopping.signal))) process.exitCode = 1
  } finally {
    await lectern.close()
  }
}

runCommand().catch(reportAndExit)
