import { S3ServiceException } from '@aws-sdk/client-s3'
import { StorageUnavailableError } from './storage-unavailable.ts'

/** The setting to check, by the error names that stores send. */
const settings: Record<string, string> = {
  NoSuchBucket: 'The bucket in S3_BUCKET doesn’t exist. Create it first',
  InvalidAccessKeyId: 'S3_ENDPOINT doesn’t know the key in AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY doesn’t match AWS_ACCESS_KEY_ID',
  AccessDenied: 'AWS_ACCESS_KEY_ID lacks permissions on S3_BUCKET',
  Forbidden: 'AWS_ACCESS_KEY_ID lacks permissions on S3_BUCKET',
  ExpiredToken: 'AWS_SESSION_TOKEN has expired',
  InvalidToken: 'S3_ENDPOINT rejected AWS_SESSION_TOKEN',
  CredentialsProviderError:
    'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY aren’t set, and the AWS SDK found no other credentials',
  AuthorizationHeaderMalformed: 'S3_REGION isn’t the region of S3_BUCKET',
  PermanentRedirect: 'S3_REGION or S3_ENDPOINT isn’t the one of S3_BUCKET',
  ENOTFOUND: 'The host in S3_ENDPOINT can’t be resolved',
}
const passing: Record<string, string> = {
  RequestTimeTooSkewed: 'The clock of this machine or of S3_ENDPOINT is wrong',
  QuotaExceeded: 'S3_BUCKET is full: its quota is exhausted',
}

/**
 * Converts an error of the store or the network to a message for the operator. Of the error it keeps only the name and
 * status.
 */
export function toStorageError(error: unknown, operation: string): StorageUnavailableError {
  if (error instanceof StorageUnavailableError) return error
  const { name, code, status } = describe(error)
  const known =
    settings[code] ?? settings[name] ?? (status === 403 && !passing[name] ? settings.AccessDenied : undefined)
  const what = known ?? passing[name] ?? `S3_ENDPOINT failed to ${operation}`
  const because = [code || name, status].filter(Boolean).join(' ')
  return new StorageUnavailableError(`${what} (${because}).`, { isMisconfigured: known !== undefined })
}

const isRefusal = (error: unknown, names: string[]) => error instanceof S3ServiceException && names.includes(error.name)
export const isMissing = (error: unknown) => isRefusal(error, ['NoSuchKey', 'NotFound'])
export const isNoUpload = (error: unknown) => isRefusal(error, ['NoSuchUpload'])

function describe(error: unknown) {
  if (!(error instanceof Error)) return { name: 'unknown', code: '', status: null }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null
  return { name: error.name, code, status }
}
