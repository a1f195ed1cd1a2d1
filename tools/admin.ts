import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../server/config.ts'
import type { Deps } from '../server/deps.ts'
import { createLogger, type Log } from '../server/log.ts'
import { reportAndExit } from '../server/main.ts'
import { adoptFiles } from './admin/adopt-files.ts'
import { backup } from './admin/backup.ts'
import { doctor } from './admin/doctor.ts'
import { importCourses } from './admin/import-courses.ts'
import { openLectern } from './admin/open-lectern.ts'
import { openStore, openStoreAlone, type Store } from './admin/open-store.ts'
import { reindex } from './admin/reindex.ts'
import { restore } from './admin/restore.ts'
import { giveRole } from './admin/role.ts'
import { verify } from './admin/verify.ts'

/** `npm run admin -- <command>`, or `lectern admin <command>`: what an operator does now and then, in the environment of the server and beside it. */
const usage = `
  Called as npm run admin -- COMMAND, or lectern admin COMMAND, in the environment of the server and beside it:

  doctor          looks at what goes wrong in practice (settings, disk, database, files, mail, address), and says what to do
  doctor --send-test ADDRESS      and sends a mail there

  backup FILE     keeps database and files in one archive, while students go on; - is the standard output
  restore FILE    brings a backup back onto an empty database and folder; - is the standard input
  restore FILE --replace          and takes away what is there

  verify          compares every file with what is known of it, and looks for files that belong to nothing

  files adopt     takes the folder or bucket that is set for the one of the database, after files were lost or moved

  reindex         makes the text and pictures that notes lack, and tries again what was given up
  reindex --all   makes all of them anew, and has words on pictures recognised anew by the servers

  courses import FILE.csv             takes over what courses are called: a line is code,name
  courses import FILE.csv --replace   and forgets the names that are not in the file

  role EMAIL student|moderator|admin  says what somebody may do, at once; it is written down in the audit log

`

type Context = { config: Config; log: Log; signal: AbortSignal }
/** Resolves to whether it did what it was asked for; it has said why where it did not. */
type Command = (context: Context) => Promise<boolean>

async function withLectern<T>({ config, log }: Context, run: (deps: Deps) => Promise<T>): Promise<T> {
  const { deps, close } = await openLectern(config, log)
  return run(deps).finally(close)
}

async function withStore<T>(open: typeof openStore, context: Context, run: (store: Store) => Promise<T>): Promise<T> {
  const { store, close } = await open(context.config, context.log)
  return run(store).finally(close)
}

function readCommand(args: string[]): Command | null {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      replace: { type: 'boolean', default: false },
      'send-test': { type: 'string' },
    },
  })
  const { all, replace, 'send-test': sendTestTo = null } = values
  const [name = '', ...given] = positionals
  const [first = '', second = ''] = given
  /** Whether it was called so, with nothing else. */
  const is = (wanted: string, count: number, options: { all?: boolean; replace?: boolean; sendTest?: boolean } = {}) =>
    name === wanted &&
    given.length === count &&
    (!all || options.all) &&
    (!replace || options.replace) &&
    (sendTestTo === null || options.sendTest)

  // Where the archive itself goes to the standard output, everything else is said beside it.
  const { stdout, stderr } = process
  if (is('doctor', 0, { sendTest: true })) {
    return ({ config, log }) => doctor({ config, env: process.env, log }, sendTestTo, stdout)
  }
  if (is('backup', 1)) {
    return (context) => withStore(openStore, context, (store) => backup(store, first, context.signal, stderr))
  }
  if (is('restore', 1, { replace: true })) {
    return (context) =>
      withStore(openStoreAlone, context, (store) => restore(store, first, { replace, signal: context.signal }, stderr))
  }
  if (is('verify', 0)) {
    return (context) => withStore(openStore, context, (store) => verify(store, context.signal, stdout))
  }
  if (is('files', 1) && first === 'adopt') {
    return (context) => withLectern(context, ({ db, files }) => adoptFiles(db, files, stdout))
  }
  if (is('reindex', 0, { all: true })) {
    return (context) => withLectern(context, (deps) => reindex(deps, { all, signal: context.signal }, stdout))
  }
  if (is('courses', 2, { replace: true }) && first === 'import') {
    return (context) => withLectern(context, ({ db }) => importCourses(db, second, { replace }, stdout))
  }
  if (is('role', 2)) {
    return (context) => withLectern(context, (deps) => giveRole(deps, first, second, stdout))
  }
  return null
}

export async function runAdmin(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(usage)
    return
  }
  const command = readCommand(args)
  if (command === null) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
  const config = readConfig(process.env)
  // Whoever ends without an answer has not done it.
  process.exitCode = 1
  try {
    if (await command({ config, log: createLogger(config, 'stderr'), signal: stopping.signal })) process.exitCode = 0
  } catch (error) {
    throw stopping.signal.aborted ? new Error('Stopped. Nothing was changed.') : error
  }
}

if (import.meta.main) runAdmin(process.argv.slice(2)).catch(reportAndExit)
