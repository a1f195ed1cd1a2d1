import { randomBytes } from 'node:crypto'
import { CreateBucketCommand, ListMultipartUploadsCommand, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3'

const { TEST_S3_ENDPOINT: endpoint, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY } = process.env
const region = 'us-east-1'
const credentials = {
  accessKeyId: TEST_S3_ACCESS_KEY_ID ?? '',
  secretAccessKey: TEST_S3_SECRET_ACCESS_KEY ?? '',
}

/** The gateway itself, for what no part of Lectern does. */
export const openS3Client = () => new S3Client({ endpoint, region, credentials, forcePathStyle: true })

/** A new bucket, as the environment of a server says it. */
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

/** The keys of what is being sent in parts, or was left. */
export async function listUploads(Bucket: string): Promise<string[]> {
  const client = openS3Client()
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
  client.destroy()
  return Uploads.map(({ Key = '' }) => Key)
}

/** As docs/operations.md says it. */
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
