import { randomBytes } from 'node:crypto'
import { CreateBucketCommand, ListMultipartUploadsCommand, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3'

const { TEST_S3_ENDPOINT: endpoint, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY } = process.env
const region = 'us-east-1'
const credentials = { accessKeyId: TEST_S3_ACCESS_KEY_ID ?? '', secretAccessKey: TEST_S3_SECRET_ACCESS_KEY ?? '' }

/** Opens the gateway directly, for operations that Lectern does not have. */
export const openS3Client = () => new S3Client({ endpoint, region, credentials, forcePathStyle: true })

/** Creates a bucket and returns its environment variables. */
export async function makeBucket(): Promise<Record<string, string>> {
  const Bucket = `lectern-${randomBytes(6).toString('hex')}`
  const client = openS3Client()
  await client.send(new CreateBucketCommand({ Bucket }))
  client.destroy()
  return {
    S3_ENDPOINT: endpoint ?? '',
    S3_BUCKET: Bucket,
    S3_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
}

/** Lists the keys of unfinished multipart uploads. */
export async function listUploads(Bucket: string): Promise<string[]> {
  const client = openS3Client()
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
  client.destroy()
  return Uploads.map(({ Key = '' }) => Key)
}

/** Configures the bucket as docs/operations.md describes. */
export async function letPagesRead(Bucket: string, publicUrl: string): Promise<void> {
  const rule = {
    AllowedOrigins: [publicUrl],
    AllowedMethods: ['GET'],
    AllowedHeaders: ['range', 'if-range'],
    ExposeHeaders: ['ETag', 'Content-Range', 'Accept-Ranges'],
    MaxAgeSeconds: 3600,
  }
  const client = openS3Client()
  await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [rule] } }))
  client.destroy()
}
