import { S3ServiceException } from '@aws-sdk/client-s3'
import { StorageUnavailableError } from './storage-unavailable.ts'

/** The setting to check, by the error names that stores send. */
const settings: Record<string, string> = {
  NoSuchBucket: 'S3_BUCKET names a bucket that is not there: create it first',
  InvalidAccessKeyId: 'AWS_ACCESS_KEY_ID is a key that the store does not know',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is not the secret of AWS_ACCESS_KEY_ID',
  AccessDenied: 'AWS_ACCESS_KEY_ID may not do in S3_BUCKET what Lectern has to',
  Forbidden: 'AWS_ACCESS_KEY_ID may not do in S3_BUCKET what Lectern has to',
  ExpiredToken: 'AWS_SESSION_TOKEN has expired',
  InvalidToken: 'AWS_SESSION_TOKEN is not taken',
  CredentialsProviderError: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set, and nothing else has a key',
  AuthorizationHeaderMalformed: 'S3_REGION is not the region of S3_BUCKET',
  PermanentRedirect: 'S3_REGION or S3_ENDPOINT is not the one of S3_BUCKET',
  ENOTFOUND: 'S3_ENDPOINT names a host that nobody knows',
}
const passing: Record<string, string> = {
  RequestTimeTooSkewed: 'The clock of this machine is wrong, or that of the store of S3_ENDPOINT',
  QuotaExceeded: 'S3_BUCKET is full: its quota is used up',
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
  const what = known ?? passing[name] ?? `The store of S3_ENDPOINT does not ${operation}`
  const because = [code || name, status].filter(Boolean).join(' ')
  return new StorageUnavailableError(`${what} (${because}).`, { isSetting: known !== undefined })
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
