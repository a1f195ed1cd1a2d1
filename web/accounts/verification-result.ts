import { errors } from '../../contract/errors.ts'
import { ApiError } from '../api/client.ts'
import * as paths from '../paths.ts'

/** Where a verification that failed goes on (SPEC.md section 4): told by the message. */
export function verificationResult(failure: unknown): string {
  const message = failure instanceof ApiError ? failure.message : ''
  if (message === errors.verification_link_expired.message) return paths.verifyExpired()
  if (message === errors.verification_link_invalid.message) return paths.verifyInvalid()
  return paths.verifyInternalError()
}
