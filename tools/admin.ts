import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../server/config.ts'
import type { Deps } from '../server/deps.ts'
import { reportAndExit } from '../server/main.ts'
import { createLogger, type Log } from '../server/observe/log.ts'
import { refuseIncomplete } from '../server/start/incomplete.ts'
import { adoptFiles } from './admin/adopt-files.ts'
import { backup } from './admin/backup.ts'
import { doctor } from './admin/doctor.ts'
import { changeHouse, printInvitation, readAnnouncement, readPolicy, setQuota } from './admin/house.ts'
import { importCourses } from './admin/import-courses.ts'
import { openLectern } from './admin/open-lectern.ts'
import { openStore, openStoreAlone } from './admin/open-store.ts'
import { redactReason } from './admin/redact-reason.ts'
import { reindex } from './admin/reindex.ts'
import { restore } from './admin/restore.ts'
import { giveRole } from './admin/role.ts'
import { lift, suspend } from './admin/suspend.ts'
import { turnTwoFactorOff } from './admin/two-factor.ts'
import { verify, verifyBackup } from './admin/verify.ts'

/**
 * `npm run admin -- <command>`, or `lectern admin <command>`: what an operator does now and then, in the environment of the
 * server and beside it.
 */
const usage = `
  Called as npm run admin -- COMMAND, or lectern admin COMMAND, in the environment of the server and beside it:

  doctor          looks at what goes wrong in practice (settings, disk, database, files, mail, address), and says what to do
  doctor --send-test ADDRESS      and sends a mail there

  backup FILE     keeps database and files in one archive, while students go on; - is the standard output
  backup FOLDER   adds an archive to a folder of them, where each file is written once
  backup FOLDER --keep NUMBER     and leaves so many archives there, with their files
  restore FILE    brings a backup back onto an empty database and folder; - is the standard input
  restore FILE --replace          and takes away what is there

  verify          compares every file with what is known of it, and looks for files that belong to nothing
  verify FILE     reads a backup to its end, and compares it with what was written

  files adopt     takes the folder or bucket that is set for the one of the database, after files were lost or moved

  reindex         makes the text and pictures that notes lack, and tries again what was given up
  reindex --all   makes all of them anew, and has words on pictures recognised anew by the servers

  courses import FILE.csv             takes over what courses are called: a line is code,name
  courses import FILE.csv --replace   and forgets the names that are not in the file

  role EMAIL student|moderator|admin  says what somebody may do, at once; it is written down in the audit log

  suspend EMAIL --reason TEXT         keeps somebody out, at once, until it is lifted; they are mailed why
  suspend NOTE --reason TEXT          the same of whoever shared an anonymous note (its id), unknown to everybody
          --days DAYS                 for so long
          --hide-notes                and hides what they share by name meanwhile (with EMAIL)
  lift EMAIL|NOTE                     ends that

  registration open|invited           says who may register: everybody, or who is invited
  registration domains DOMAIN...      or who has an e-mail of these domains
  invite                              prints a link that lets one person register
  announce TEXT [--days DAYS]         is shown to all students, for 7 days; announce off takes it away
  quota EMAIL|all MB|default          says what one or all may upload in 24 hours, within what is configured
  decision NUMBER redact              takes the reason of a decision out of the log that all members read
  two-factor off EMAIL                turns it off for a student who has lost app and recovery codes, and tells them

`

type Context = { config: Config; log: Log; signal: AbortSignal }
/** Resolves to whether it did what it was asked for; it has said why where it did not. */
type Command = (context: Context) => Promise<boolean>

async function withLectern<T>({ config, log }: Context, run: (deps: Deps) => Promise<T>): Promise<T> {
  const { deps, close } = await openLectern(config, log)
  return run(deps).finally(close)
}

/** For what asks for jobs, which a server does. */
const withQueue = <T>({ config, ...context }: Context, run: (deps: Deps) => Promise<T>): Promise<T> =>
  withLectern({ ...context, config: { ...config, role: 'web' } }, async (deps) => {
    await deps.jobs.start()
    return run(deps)
  })

type Opened<S> = { store: S; close(): Promise<void> }

async function withStore<S, T>(
  open: (config: Config, log: Log) => Promise<Opened<S>>,
  context: Context,
  run: (store: S) => Promise<T>,
): Promise<T> {
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
      keep: { type: 'string' },
      'hide-notes': { type: 'boolean', default: false },
      reason: { type: 'string' },
      days: { type: 'string' },
      'send-test': { type: 'string' },
    },
  })
  const { all, replace, keep, 'hide-notes': hidesNotes, reason, days, 'send-test': sendTestTo = null } = values
  const [name = '', ...given] = positionals
  const [first = '', second = ''] = given
  /** Whether it was called so, with nothing else. */
  const is = (wanted: string, count: number, options: Partial<Record<keyof typeof values, true>> = {}) =>
    name === wanted &&
    given.length === count &&
    Object.entries(values).every(([option, value]) => !value || options[option as keyof typeof values])

  // Where the archive itself goes to the standard output, everything else is said beside it.
  const { stdout, stderr } = process
  if (is('doctor', 0, { 'send-test': true })) {
    return ({ config, log }) => doctor({ config, env: process.env, log }, sendTestTo, stdout)
  }
  if (is('backup', 1, { keep: true })) {
    return ({ config, log, signal }) =>
      withStore(openStore, { config, log, signal }, (store) =>
        backup(store, first, { keep, dataDir: config.dataDir, signal }, stderr),
      )
  }
  if (is('restore', 1, { replace: true })) {
    return (context) =>
      withStore(openStoreAlone, context, (store) => restore(store, first, { replace, signal: context.signal }, stderr))
  }
  if (is('verify', 0)) {
    return (context) => withStore(openStore, context, (store) => verify(store, context.signal, stdout))
  }
  if (is('verify', 1)) {
    return ({ signal }) => verifyBackup(first, signal, stdout)
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
  if (is('suspend', 1, { reason: true, days: true, 'hide-notes': true }) && reason !== undefined) {
    return (context) => withQueue(context, (deps) => suspend(deps, first, { reason, days, hidesNotes }, stdout))
  }
  if (is('lift', 1)) {
    return (context) => withQueue(context, (deps) => lift(deps, first, stdout))
  }
  if (is('registration', given.length) && first) {
    return (context) => withLectern(context, (deps) => changeHouse(deps, readPolicy(first, given.slice(1)), stdout))
  }
  if (is('invite', 0)) {
    return (context) => withLectern(context, (deps) => printInvitation(deps, stdout))
  }
  if (is('announce', 1, { days: true })) {
    return (context) => withLectern(context, (deps) => changeHouse(deps, readAnnouncement(first, days), stdout))
  }
  if (is('quota', 2)) {
    return (context) => withLectern(context, (deps) => setQuota(deps, first, second, stdout))
  }
  if (is('decision', 2) && second === 'redact') {
    return (context) => withLectern(context, ({ db }) => redactReason(db, first, stdout))
  }
  if (is('two-factor', 2) && first === 'off') {
    return (context) => withQueue(context, (deps) => turnTwoFactorOff(deps, second, stdout))
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
  refuseIncomplete()
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
