import type { Config } from '../../config.ts'
import { describeError, type Log } from '../../platform/observability/log.ts'
import type { Output } from './command-line.ts'
import { checkDatabase, checkReplica } from './doctor/check-database.ts'
import {
  asSentence,
  checkAntivirus,
  checkDisk,
  checkMail,
  checkPublicUrl,
  checkSettings,
  checkStorage,
  checkTraces,
  type Finding,
  failure,
  warning,
} from './doctor/checks.ts'
import { hasDatabase, openDatabase } from './open-store.ts'

const signs = { ok: 'ok  ', warning: 'warn', failure: 'FAIL' }

/** The parsed configuration and the raw environment. */
type DoctorContext = { config: Config; env: Record<string, string | undefined>; log: Log }

/**
 * Checks for problems that are common in practice, with or without a running server, and changes nothing.
 * @param sendTestTo address of a test mail, or null.
 * @returns whether nothing failed.
 */
export async function doctor(
  { config, env, log }: DoctorContext,
  sendTestTo: string | null,
  out: Output,
): Promise<boolean> {
  let isWell = true
  const report = (title: string, found: Finding[]) => {
    if (found.length === 0) return
    out.write(`\n  ${title}\n`)
    for (const { kind, text } of found) out.write(`    ${signs[kind]} ${asSentence(text)}\n`)
    isWell &&= found.every(({ kind }) => kind !== 'failure')
  }
  report('Settings', checkSettings(config, env))
  report('Disk', await checkDisk(config))
  await using opened = new AsyncDisposableStack()
  const { url, found } = await findDatabase(config, log, opened)
  report('Database', url ? await checkDatabase(url, config.databasePoolSize, env) : found)
  if (url && config.databaseReplicaUrl) report('Replica', await checkReplica(url, config.databaseReplicaUrl))
  report('Files', await checkStorage(config, url))
  report('Viruses', await checkAntivirus(config))
  report('Mail', await checkMail(config, sendTestTo, log))
  report('Address', await checkPublicUrl(config))
  report('Traces', await checkTraces(config))
  out.write(isWell ? '\n  No problems found.\n\n' : '\n  Fix the items marked FAIL.\n\n')
  return isWell
}

/** Does not create an embedded database that does not exist yet. */
async function findDatabase(
  config: Config,
  log: Log,
  opened: AsyncDisposableStack,
): Promise<{ url: string | null; found: Finding[] }> {
  if (!(await hasDatabase(config))) {
    const text = `No database in DATA_DIR ${config.dataDir} yet. The first start creates it. Does the server use the same DATA_DIR?`
    return { url: null, found: [warning(text)] }
  }
  try {
    return { url: await openDatabase(config, log, opened), found: [] }
  } catch (error) {
    return { url: null, found: [failure(`The embedded database doesn’t start: ${describeError(error)}`)] }
  }
}
