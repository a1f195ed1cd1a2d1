/**
 * Where a server of the tests keeps its files, as its environment says it: by `npm run test:full -- s3` each in a bucket of its own,
 * else on disk. What speaks S3 takes a while to load.
 */
export async function filesEnv(): Promise<Record<string, string>> {
  if (!process.env.TEST_S3_ENDPOINT) return {}
  const { makeBucket } = await import('./s3.ts')
  return makeBucket()
}
