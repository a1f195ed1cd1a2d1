import type { S3Config } from '../config.ts'

/** What signed addresses begin with. */
export function originOfFiles({ publicEndpoint, bucket, forcePathStyle }: S3Config): string {
  const url = new URL(publicEndpoint)
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`
  return url.origin
}
