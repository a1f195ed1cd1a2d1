import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openDiskStorage } from './disk.ts'
import type { FileStorage } from './storage.ts'

/** Where the configuration says that files are. What speaks S3 is loaded only where it is spoken. */
export async function openFiles({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<FileStorage> {
  if (!s3) return openDiskStorage(join(dataDir, 'files'))
  const { openS3Storage } = await import('./s3.ts')
  return openS3Storage(s3)
}
