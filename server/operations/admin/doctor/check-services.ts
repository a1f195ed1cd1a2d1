import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { uploadNotes } from '../../../../packages/contract/notes.endpoints.ts'
import { getHealth } from '../../../../packages/contract/system.endpoints.ts'
import type { Config } from '../../../config.ts'
import { ageOfSignaturesMs, getClamdVersion, scanWithClamd } from '../../../features/uploads/antivirus/clamd.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { openStorage } from '../../../platform/storage/open-storage.ts'
import { type FileStorage, newFileKey } from '../../../platform/storage/storage.ts'
import { hasTable } from '../../backup/tables.queries.ts'
import { asSentence, compareClockOf, connectTo, defineCheck, type Finding, failure, ok, warning } from './finding.ts'

/** @param databaseUrl null when no database can tell which storage is its own. */
export const checkStorage = defineCheck(async function* (config: Config, databaseUrl: string | null) {
  // A storage that was never used is not created here.
  if (!config.s3 && !existsSync(join(config.dataDir, 'files'))) return
  const name = config.s3 ? `the bucket ${config.s3.bucket}` : join(config.dataDir, 'files')
  let files: FileStorage
  try {
    files = await openStorage(config)
    await tryOut(files)
  } catch (error) {
    return yield failure(`Can’t store files in ${name}: ${describeError(error)}`)
  }
  yield ok(`Wrote, read and deleted a test file in ${name}`)
  // The database check already reports an error of the database.
  const isOwn = databaseUrl && (await hasMarkerOf(databaseUrl, files).catch(() => null))
  if (isOwn) yield ok('The storage belongs to this database')
  if (isOwn === false) {
    yield failure(
      `${name} belongs to another database, or is empty. Restore DATA_DIR or S3_BUCKET, or mount the missing disk. If the files really are here, run: lectern admin storage adopt`,
    )
  }
  if (!config.s3) return
  const askedAt = Date.now()
  try {
    const answer = await fetch(config.s3.endpoint, { method: 'HEAD', signal: AbortSignal.timeout(5_000) })
    yield* compareClockOf('the file storage', answer, askedAt)
  } catch (error) {
    yield warning(`Couldn’t read the clock of the file storage: ${describeError(error)}`)
  }
})

/** Writes, reads and deletes a file in the same way as an upload. */
async function tryOut(files: FileStorage): Promise<void> {
  const [key, content] = [newFileKey(), randomBytes(1024)]
  const path = join(tmpdir(), `lectern-doctor-${key}`)
  const sha256 = createHash('sha256').update(content).digest()
  try {
    await files.check()
    await writeFile(path, content, { mode: 0o600 })
    await files.put(key, { path, bytes: content.length, sha256 })
    const stored = await files.get(key)
    if (!stored || !(await buffer(stored)).equals(content))
      throw new Error('The file read differs from the file written')
  } finally {
    await files.delete(key).catch(() => {})
    await rm(path, { force: true })
  }
}

/** Returns null if the database has no marker. */
async function hasMarkerOf(databaseUrl: string, files: FileStorage): Promise<boolean | null> {
  await using client = await connectTo(databaseUrl)
  if (!(await hasTable(client, 'public.storage_identity'))) return null
  const { rows } = await client.query<{ marker: string }>('SELECT marker FROM storage_identity')
  return rows[0] ? rows[0].marker === (await files.readMarker()) : null
}

/**
 * The harmless EICAR test file, which every virus scanner detects. It is split, because a scanner may read this source
 * file too.
 */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!', '$H+H*'].join('')
const dayMs = 24 * 3_600_000
const maxSignatureDays = 7
const limits = 'StreamMaxLength, MaxFileSize and MaxScanSize in clamd.conf'

export const checkAntivirus = defineCheck(async function* ({
  clamav,
  maxFileMb,
}: Pick<Config, 'clamav' | 'maxFileMb'>) {
  if (!clamav) return
  const { address } = clamav
  try {
    const version = await getClamdVersion(address)
    const scan = (bytes: number) => scanWithClamd(address, testFile(bytes), new AbortController().signal)
    const [small, large] = [await scan(1024), await scan(maxFileMb * 2 ** 20)]
    yield ok(`clamd is running: ${version}`)
    const days = Math.floor(ageOfSignaturesMs(version) / dayMs)
    if (Number.isNaN(days)) yield warning('clamd reports no age of its signatures. Check freshclam')
    if (days >= maxSignatureDays) yield warning(`clamd’s signatures are ${days} days old. Check freshclam`)
    const size = `A file of ${maxFileMb} MB`
    if (small.kind !== 'infected') yield failure('clamd doesn’t detect the EICAR test file. Check its signatures')
    else if (large.kind === 'infected') yield ok(`It detects the EICAR test file, in files of up to ${maxFileMb} MB`)
    else if (large.kind === 'unscannable') yield failure(`${size} is rejected: raise ${limits}, or lower MAX_FILE_MB`)
    else yield failure(`${size} isn’t scanned: raise ${limits}, or lower MAX_FILE_MB. Check AlertExceedsMax as well`)
  } catch (error) {
    const text = `Uploads fail: ${describeError(error)}`
    yield failure(`${text}. Check that clamd is running, CLAMAV_URL, and permissions on its socket`)
  }
})

/** Yields a file of this size that begins with the EICAR test. */
async function* testFile(bytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from(eicar)
  for (let left = bytes - eicar.length; left > 0; left -= 2 ** 16) yield Buffer.alloc(Math.min(left, 2 ** 16))
}

const timeoutMs = 10_000
const dripMs = 100

/** Checks that requests to PUBLIC_URL reach Lectern, and uploads too. */
export const checkPublicUrl = defineCheck(async function* ({ publicUrl, maxFiles, maxFileMb }: Config) {
  if (!publicUrl) return
  const askedAt = Date.now()
  const url = `${publicUrl}${getHealth.path}`
  let answer: Response
  try {
    answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error
    const reason = asSentence(describeError(cause))
    return yield failure(`Can’t reach ${publicUrl}: ${reason} Check the server, DNS, firewall and certificate`)
  }
  const body = await answer.text()
  if (answer.status >= 300 && answer.status < 400)
    return yield failure(`${publicUrl} redirects to ${answer.headers.get('location')}. Set PUBLIC_URL to that address`)
  if (answer.status !== 200 || body !== '{"status":"ok"}')
    return yield failure(`${url} returned ${answer.status}, not from Lectern. Make the proxy forward all paths to PORT`)
  yield ok(`${publicUrl} reaches Lectern`)
  yield* compareClockOf('the web server', answer, askedAt)
  yield await checkUploads(publicUrl, (maxFiles * maxFileMb + 1) * 2 ** 20)
})

/** Announces an upload without sending it: a proxy refuses its size immediately, and Lectern the missing login. */
async function checkUploads(publicUrl: string, bytes: number): Promise<Finding> {
  const megabytes = Math.ceil(bytes / 2 ** 20)
  try {
    const status = await announceUpload(`${publicUrl}${uploadNotes.path}`, bytes)
    if (status === 401) return ok(`Uploads of ${megabytes} MB reach Lectern`)
    if (status !== 413)
      return warning(`An upload without a login returned ${status}, but Lectern returns 401. Check the proxy`)
    return failure(
      `An upload of ${megabytes} MB is rejected before it reaches Lectern. Allow request bodies of MAX_FILES × MAX_FILE_MB + 1 MB (nginx: client_max_body_size ${megabytes}m)`,
    )
  } catch (error) {
    return warning(`Couldn’t test uploads: ${describeError(error)}`)
  }
}

function announceUpload(url: string, bytes: number): Promise<number> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': bytes }
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', headers }, ({ statusCode = 0 }) => {
      resolve(statusCode)
      request.destroy()
    })
    // Over HTTP/1, Caddy holds back a response while it waits for more of a request body.
    const drip = setInterval(() => request.write('x'), dripMs)
    const late = setTimeout(() => request.destroy(new Error('The request timed out')), timeoutMs)
    request.on('close', () => {
      clearInterval(drip)
      clearTimeout(late)
    })
    request.on('error', reject)
    request.flushHeaders()
  })
}
