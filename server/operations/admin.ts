import { resolve } from 'node:path'
import { roles } from '../../packages/contract/roles.ts'
import { type Config, readConfig } from '../config.ts'
import type { Deps } from '../dependencies.ts'
import { reportAndExit } from '../main.ts'
import { adoptSecret, lostWithSecret } from '../platform/db/secret.ts'
import { createLogger, type Log } from '../platform/observability/log.ts'
import { backup, recordBackup, restore, verify, verifyBackup } from './admin/archives.ts'
import {
  type Context,
  defineCommand,
  describeCommands,
  type Run,
  readCommand,
  UsageError,
} from './admin/command-line.ts'
import { doctor } from './admin/doctor.ts'
import { importCourses } from './admin/import-courses.ts'
import {
  adoptFiles,
  announce,
  printInvitation,
  redactReason,
  reprocess,
  setQuota,
  setRegistration,
} from './admin/instance-settings.ts'
import { disableTwoFactor, runRoleCommand, suspend, unsuspend } from './admin/members.ts'
import { openLectern, openStore, openStoreAlone } from './admin/open-store.ts'
import { onStopRequest } from './start/process.ts'

type RunWith<T> = (opened: T, context: Context) => Promise<boolean>

type Open<T> = (config: Config, log: Log, opened: AsyncDisposableStack) => Promise<T>

const withOpened =
  <T>(open: Open<T>, run: RunWith<T>): Run =>
  async (context) => {
    await using opened = new AsyncDisposableStack()
    return await run(await open(context.config, context.log, opened), context)
  }

const withLectern = (run: RunWith<Deps>): Run => withOpened(openLectern, run)

/** For commands that enqueue jobs, which a server runs. */
const withQueue = (run: RunWith<Deps>): Run =>
  withLectern(async (deps, context) => {
    await deps.jobs.start()
    return run(deps, context)
  })

// The archive may go to the standard output, so messages of a backup or restore go to the standard error.
const { stdout, stderr } = process

const commands = [
  defineCommand({
    usage: 'doctor',
    help: 'check settings, disk, database, files, mail and public URL',
    options: { 'send-test': ['ADDRESS', 'also send a test email'] },
    run:
      (_, { 'send-test': address = null }) =>
      ({ config, log }) =>
        doctor({ config, env: process.env, log }, address, stdout),
  }),
  defineCommand({
    usage: 'backup FILE|FOLDER',
    help: 'back up database and files, while the server runs (- writes to stdout); a folder stores unchanged files once',
    options: { keep: ['NUMBER', 'keep only the newest NUMBER backups of the folder'] },
    run: ([target = ''], { keep }) =>
      withOpened(openStore, (store, { config: { dataDir }, signal }) =>
        recordBackup(store.db, signal, () => backup(store, target, { keep, dataDir, signal }, stderr)),
      ),
  }),
  defineCommand({
    usage: 'restore FILE',
    help: 'restore a backup into an empty database and folder (- reads stdin)',
    options: { replace: [null, 'replace existing data'] },
    run: ([file = ''], { replace = false }) =>
      withOpened(openStoreAlone, (store, { signal }) => restore(store, file, { replace, signal }, stderr)),
  }),
  defineCommand({
    usage: 'verify [FILE]',
    help: 'check every file’s hash and list orphaned files, or check a backup',
    run: ([file]) =>
      file === undefined
        ? withOpened(openStore, (store, { signal }) => verify(store, signal, stdout))
        : ({ signal }) => verifyBackup(file, signal, stdout),
  }),
  defineCommand({
    usage: 'storage adopt',
    help: 'accept the configured storage as this database’s, after files were moved or lost',
    run: () => withLectern(({ db, files }) => adoptFiles(db, files, stdout)),
  }),
  defineCommand({
    usage: 'secret adopt',
    help: 'accept the configured SECRET as this database’s, after you changed it on purpose',
    run: () =>
      withLectern(async ({ db, secret }) => {
        await adoptSecret(db, secret)
        stdout.write(`  This database now uses the configured SECRET. ${lostWithSecret}\n`)
        return true
      }),
  }),
  defineCommand({
    usage: 'reprocess',
    help: 'extract missing text and thumbnails, and retry failures',
    options: { all: [null, 'redo all of them, including OCR'] },
    run: (_, { all = false }) => withLectern((deps, { signal }) => reprocess(deps, { all, signal }, stdout)),
  }),
  defineCommand({
    usage: 'courses import FILE.csv',
    help: 'import course names (lines of code,name)',
    options: { replace: [null, 'remove names that aren’t in the file'] },
    run: ([file = ''], { replace = false }) => withLectern(({ db }) => importCourses(db, file, { replace }, stdout)),
  }),
  defineCommand({
    usage: 'role EMAIL ROLE',
    help: `set an account’s role: ${roles.join(', ')}`,
    run: ([email = '', role = '']) => withLectern((deps) => runRoleCommand(deps, email, role, stdout)),
  }),
  defineCommand({
    usage: 'suspend EMAIL|NOTE',
    help: 'suspend an account, or the author of an anonymous note without revealing them, and email them the reason',
    options: {
      reason: ['TEXT', 'the reason (required)'],
      days: ['DAYS', 'for a number of days'],
      'hide-notes': [null, 'also hide their notes (EMAIL only)'],
    },
    run: ([whom = ''], { reason = '', days, 'hide-notes': hidesNotes = false }) =>
      withQueue((deps) => suspend(deps, whom, { reason, days, hidesNotes }, stdout)),
  }),
  defineCommand({
    usage: 'unsuspend EMAIL|NOTE',
    help: 'lift a suspension',
    run: ([whom = '']) => withQueue((deps) => unsuspend(deps, whom, stdout)),
  }),
  defineCommand({
    usage: 'registration MODE [DOMAIN...]',
    help: 'open registration to everyone (open), to invited people (invited) or to email domains (domains)',
    run: ([mode = '', ...domains]) => withLectern((deps) => setRegistration(deps, mode, domains, stdout)),
  }),
  defineCommand({
    usage: 'invite',
    help: 'create an invitation link',
    run: () => withLectern((deps) => printInvitation(deps, stdout)),
  }),
  defineCommand({
    usage: 'announce TEXT',
    help: 'show an announcement for 7 days (announce off removes it)',
    options: { days: ['DAYS', 'for another number of days'] },
    run: ([text = ''], { days }) => withLectern((deps) => announce(deps, text, days, stdout)),
  }),
  defineCommand({
    usage: 'quota EMAIL|all MB|default',
    help: 'set the upload limit per 24 hours for one account or everyone',
    run: ([whom = '', megabytes = '']) => withLectern((deps) => setQuota(deps, whom, megabytes, stdout)),
  }),
  defineCommand({
    usage: 'decisions redact NUMBER',
    help: 'redact the reason of a decision in the moderation log',
    run: ([number = '']) => withLectern(({ db }) => redactReason(db, number, stdout)),
  }),
  defineCommand({
    usage: 'two-factor off EMAIL',
    help: 'turn off two-factor authentication for a locked-out student',
    run: ([email = '']) => withQueue((deps) => disableTwoFactor(deps, email, stdout)),
  }),
]

/** Whether the system reported an error of a file that was typed. */
const isAboutArgument = (error: unknown, args: string[]): error is Error =>
  error instanceof Error && 'path' in error && args.some((typed) => resolve(typed) === resolve(String(error.path)))

/** `lectern admin <command>`: commands for the operator, which run in the environment of the server and beside it. */
export async function runAdmin(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    stdout.write(describeCommands(commands))
    return
  }
  const stopping = new AbortController()
  onStopRequest(() => stopping.abort())
  const { signal } = stopping
  // A process that ends without a result has failed.
  process.exitCode = 1
  try {
    const run = readCommand(commands, args)
    const config = readConfig(process.env)
    // An operator reads the log, also in production.
    const log = createLogger({ ...config, production: false }, 'stderr')
    if (await run({ config, log, signal })) process.exitCode = 0
  } catch (caught) {
    let error: unknown = caught
    // What failed first is the reason, even when closing failed as well.
    while (error instanceof SuppressedError) error = error.suppressed
    if (error instanceof UsageError) {
      stderr.write(`  ${error.message} Nothing was changed.\n`)
      process.exitCode = UsageError.exitStatus
      return
    }
    // The operator knows the file that they typed better than any advice about DATA_DIR.
    if (!signal.aborted && isAboutArgument(error, args)) {
      stderr.write(`${error.message}\n`)
      return
    }
    const reason = signal.aborted ? new Error('Stopped. Nothing was changed.') : error
    reportAndExit(reason, (text) => stderr.write(`${text}\n`))
  }
}

if (import.meta.main) await runAdmin(process.argv.slice(2))
