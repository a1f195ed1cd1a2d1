import { join } from 'node:path'
import type { Config, S3Config } from '../../config.ts'
import type { Telemetry } from '../observability/telemetry.ts'
import { openDiskStorage } from './disk.ts'
import type { FileStorage } from './storage.ts'

/** Opens the storage that is configured. The S3 client is loaded only when it is needed. */
export async function openStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<FileStorage> {
  if (!s3) return openDiskStorage(join(dataDir, 'files'))
  const { openS3Storage } = await import('./s3.ts')
  return openS3Storage(s3)
}

/**
 * Wraps a storage and measures its operations. A read is measured until its first byte, because the reader may be slow.
 */
export function observeStorage(storage: FileStorage, { measure, metrics }: Telemetry): FileStorage {
  const observed = <T>(operation: string, run: () => Promise<T>, outcomeOf?: (result: T) => string) => {
    const { storageCalls: counter, storageSeconds: histogram } = metrics
    const kind = { counter, histogram, name: `storage ${operation}`, labels: { operation } }
    return measure(kind, run, outcomeOf)
  }
  const exists = (found: unknown) => (found === null ? 'missing' : 'ok')
  for (const operation of ['put', 'get', 'size', 'delete', 'check']) {
    for (const outcome of ['ok', 'failed']) metrics.storageCalls.inc({ operation, outcome }, 0)
  }
  return {
    ...storage,
    put: (key, file) => observed('put', () => storage.put(key, file)),
    get: (key, range) => observed('get', () => storage.get(key, range), exists),
    downloadTo: (key, path) =>
      observed(
        'get',
        () => storage.downloadTo(key, path),
        (isCopied) => (isCopied ? 'ok' : 'missing'),
      ),
    getSize: (key) => observed('size', () => storage.getSize(key), exists),
    delete: (key) => observed('delete', () => storage.delete(key)),
    check: () => observed('check', () => storage.check()),
  }
}

/** Returns the origin of presigned URLs. */
export function getFilesOrigin({ publicEndpoint, bucket, forcePathStyle }: S3Config): string {
  const url = new URL(publicEndpoint)
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`
  return url.origin
}
