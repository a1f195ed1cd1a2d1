import type { Config } from '../../../config.ts'
import {
  ageOfSignaturesMs,
  getClamdVersion,
  type ScanResult,
  scanWithClamd,
} from '../../../features/uploads/antivirus/clamd.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/**
 * The harmless EICAR test file, which every virus scanner detects. It is split, because a scanner may read this source
 * file too.
 */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!', '$H+H*'].join('')
const oldMs = 7 * 24 * 3_600_000
const limits = 'StreamMaxLength, MaxFileSize and MaxScanSize in clamd.conf'

export async function checkAntivirus({ clamav, maxFileMb }: Pick<Config, 'clamav' | 'maxFileMb'>): Promise<Finding[]> {
  if (!clamav) return []
  try {
    const version = await getClamdVersion(clamav.address)
    const scan = (bytes: number) => scanWithClamd(clamav.address, testFile(bytes), new AbortController().signal)
    const [small, large] = [await scan(1024), await scan(maxFileMb * 2 ** 20)]
    return [ok(`clamd is running: ${version}`), ...checkSignatures(version), checkScans(small, large, maxFileMb)]
  } catch (error) {
    return [
      failure(
        `Uploads fail: ${describeError(error)}. Check that clamd is running, CLAMAV_URL, and permissions on its socket`,
      ),
    ]
  }
}

/** Yields a file of this size that begins with the EICAR test. */
async function* testFile(bytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from(eicar)
  for (let left = bytes - eicar.length; left > 0; left -= 2 ** 16) yield Buffer.alloc(Math.min(left, 2 ** 16))
}

function checkSignatures(version: string): Finding[] {
  const age = ageOfSignaturesMs(version)
  if (Number.isNaN(age)) return [warning('clamd reports no age of its signatures. Check freshclam')]
  const days = Math.floor(age / (24 * 3_600_000))
  return age > oldMs ? [warning(`clamd’s signatures are ${days} days old. Check freshclam`)] : []
}

function checkScans(small: ScanResult, large: ScanResult, maxFileMb: number): Finding {
  if (small.kind !== 'infected') return failure('clamd doesn’t detect the EICAR test file. Check its signatures')
  if (large.kind === 'infected') return ok(`It detects the EICAR test file, in files of up to ${maxFileMb} MB`)
  const size = `A file of ${maxFileMb} MB`
  if (large.kind === 'unscannable') return failure(`${size} is rejected: raise ${limits}, or lower MAX_FILE_MB`)
  return failure(`${size} isn’t scanned: raise ${limits}, or lower MAX_FILE_MB. Check AlertExceedsMax as well`)
}
