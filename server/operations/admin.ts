import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import type { Deps } from '../dependencies.ts'
import { reportAndExit } from '../main.ts'
import { adoptSecret, lostWithSecret } from '../platform/db/own-secret.ts'
import { createLogger, type Log } from '../platform/observability/log.ts'
import { restore, verify, verifyBackup } from './admin/archives.ts'
import { backup, recordBackup } from './admin/backup.ts'
import { doctor } from './admin/doctor.ts'
import { adoptFiles, reindex } from './admin/documents.ts'
import { announce, printInvitation, redactReason, setQuota, setRegistration } from './admin/house.ts'
import { importCourses } from './admin/import-courses.ts'
import { giveRole, lift, suspend, turnTwoFactorOff } from './admin/members.ts'
import { openLectern } from './admin/open-lectern.ts'
import { openStore, openStoreAlone } from './admin/open-store.ts'
import { assertCompleteInstall } from './start/check-install.ts'
import { endsWithParent, onParentExit } from './start/process.ts'

/**
 * `npm run admin -- <command>`, or `lectern admin <command>`: commands for the operator, which run in the environment
 * of the server and at the same time as it.
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

  secret adopt    makes the SECRET that is set that of the database, after it was changed on purpose

  reindex         makes the text and pictures that notes lack, and tries again what was given up
  reindex --all   makes all of them anew, and has words on pictures recognised anew by the servers

  courses import FILE.csv             takes over what courses are called: a line is code,name or code;name
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
/** Resolves to whether the command succeeded; otherwise it has printed the reason. */
type Command = (context: Context) => Promise<boolean>

type Run<T> = (opened: T, context: Context) => Promise<boolean>

const withLectern =
  (run: Run<Deps>): Command =>
  async (context) => {
    const { deps, close } = await openLectern(context.config, context.log)
    return run(deps, context).finally(close)
  }

/** For commands that enqueue jobs, which a server runs. */
const withQueue = (run: Run<Deps>): Command => {
  const command = withLectern(async (deps, context) => {
    await deps.jobs.start()
    return run(deps, context)
  })
  return (context) => command({ ...context, config: { ...context.config, role: 'web' } })
}

const withStore =
  <S>(open: (config: Config, log: Log) => Promise<{ store: S; close(): Promise<void> }>, run: Run<S>): Command =>
  async (context) => {
    const { store, close } = await open(context.config, context.log)
    return run(store, context).finally(close)
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
  /** Whether the command line has this name, number of arguments and at most these options. */
  const is = (wanted: string, count: number, options: Partial<Record<keyof typeof values, true>> = {}) =>
    name === wanted &&
    given.length === count &&
    Object.entries(values).every(([option, value]) => !value || options[option as keyof typeof values])

  // The archive may go to the standard output, so messages of a backup or restore go to the standard error.
  const { stdout, stderr } = process
  const isSuspend = is('suspend', 1, { reason: true, days: true, 'hide-notes': true }) && reason !== undefined
  const commands: [boolean, Command][] = [
    [
      is('doctor', 0, { 'send-test': true }),
      ({ config, log }) => doctor({ config, env: process.env, log }, sendTestTo, stdout),
    ],
    [
      is('backup', 1, { keep: true }),
      withStore(openStore, (store, { config: { dataDir }, signal }) =>
        recordBackup(store.db, () => backup(store, first, { keep, dataDir, signal }, stderr)),
      ),
    ],
    [
      is('restore', 1, { replace: true }),
      withStore(openStoreAlone, (store, { signal }) => restore(store, first, { replace, signal }, stderr)),
    ],
    [is('verify', 0), withStore(openStore, (store, { signal }) => verify(store, signal, stdout))],
    [is('verify', 1), ({ signal }) => verifyBackup(first, signal, stdout)],
    [is('files', 1) && first === 'adopt', withLectern(({ db, files }) => adoptFiles(db, files, stdout))],
    [
      is('secret', 1) && first === 'adopt',
      withLectern(async ({ db, secret }) => {
        await adoptSecret(db, secret)
        stdout.write(`  SECRET is that of this database now. ${lostWithSecret}\n`)
        return true
      }),
    ],
    [is('reindex', 0, { all: true }), withLectern((deps, { signal }) => reindex(deps, { all, signal }, stdout))],
    [
      is('courses', 2, { replace: true }) && first === 'import',
      withLectern(({ db }) => importCourses(db, second, { replace }, stdout)),
    ],
    [is('role', 2), withLectern((deps) => giveRole(deps, first, second, stdout))],
    [isSuspend, withQueue((deps) => suspend(deps, first, { reason: reason ?? '', days, hidesNotes }, stdout))],
    [is('lift', 1), withQueue((deps) => lift(deps, first, stdout))],
    [
      is('registration', given.length) && first !== '',
      withLectern((deps) => setRegistration(deps, first, given.slice(1), stdout)),
    ],
    [is('invite', 0), withLectern((deps) => printInvitation(deps, stdout))],
    [is('announce', 1, { days: true }), withLectern((deps) => announce(deps, first, days, stdout))],
    [is('quota', 2), withLectern((deps) => setQuota(deps, first, second, stdout))],
    [is('decision', 2) && second === 'redact', withLectern(({ db }) => redactReason(db, first, stdout))],
    [is('two-factor', 2) && first === 'off', withQueue((deps) => turnTwoFactorOff(deps, second, stdout))],
  ]
  return commands.find(([isMeant]) => isMeant)?.[1] ?? null
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
  if (endsWithParent) onParentExit(() => stopping.abort())
  // A process that ends without a result has failed.
  process.exitCode = 1
  try {
    assertCompleteInstall()
    const config = readConfig(process.env)
    // An operator reads the log, also in production.
    const log = createLogger({ ...config, production: false }, 'stderr')
    if (await command({ config, log, signal: stopping.signal })) process.exitCode = 0
  } catch (error) {
    const reason = stopping.signal.aborted ? new Error('Stopped. Nothing was changed.') : error
    reportAndExit(reason, (text) => process.stderr.write(`${text}\n`))
  }
}

if (import.meta.main) await runAdmin(process.argv.slice(2))
