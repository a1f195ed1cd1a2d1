import type { StatsFs } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../config.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { assertWritable } from '../../../platform/storage/checks.ts'
import { asSentence, type Finding, failure, ok, warning } from './finding.ts'

const gigabyte = 2 ** 30
const littleShare = 0.1

/** Checks that the folders of DATA_DIR are writable, have space and keep the secret private. */
export async function checkDisk({ dataDir, maxFiles, maxFileMb, s3 }: Config): Promise<Finding[]> {
  const found: Finding[] = []
  const names = ['spool', ...(s3 ? [] : ['files'])]
  for (const folder of ['', ...names].map((name) => join(dataDir, name))) {
    const facts = await statfs(folder).catch(() => null)
    if (!facts) {
      found.push(warning(`${folder} doesn’t exist yet. The first start creates it`))
      continue
    }
    try {
      await assertWritable(folder)
    } catch (error) {
      found.push(
        failure(
          `Can’t write to ${folder}: ${asSentence(describeError(error))} Make the user Lectern runs as its owner`,
        ),
      )
    }
  }
  const facts = await statfs(dataDir).catch(() => null)
  if (facts) found.push(checkRoom(facts, dataDir, maxFiles * maxFileMb * 2 ** 20))
  const secret = await stat(join(dataDir, 'secret')).catch(() => null)
  if (secret && (secret.mode & 0o077) !== 0) {
    found.push(
      failure(
        `${join(dataDir, 'secret')} is readable by others. Run chmod 600, and replace it if someone may have read it`,
      ),
    )
  }
  return found
}

/** @param uploadBytes maximum size of one upload. */
function checkRoom({ bavail, blocks, bsize }: StatsFs, dataDir: string, uploadBytes: number): Finding {
  const [free, size] = [bavail * bsize, blocks * bsize]
  const text = `${inGigabytes(free)} of ${inGigabytes(size)} are free on the disk of ${dataDir}`
  if (free < Math.max(gigabyte, uploadBytes)) return failure(`${text}: uploads will fail. Free up space`)
  return free < littleShare * size && free < 20 * gigabyte ? warning(`${text}: free up space soon`) : ok(text)
}

const inGigabytes = (bytes: number) => `${(bytes / gigabyte).toFixed(1)} GB`
