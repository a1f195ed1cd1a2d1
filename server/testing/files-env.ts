/**
 * Returns the storage variables of test servers: with `npm run test:full -- s3` a new bucket for each, otherwise the
 * disk. The S3 client is imported on demand, because it loads slowly.
 */
export async function filesEnv(): Promise<Record<string, string>> {
  if (!process.env.TEST_S3_ENDPOINT) return {}
  const { makeBucket } = await import('./s3.ts')
  return makeBucket()
}
