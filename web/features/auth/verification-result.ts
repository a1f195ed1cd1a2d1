import type { NavigateOptions } from 'react-router'
import { errors } from '../../../packages/contract/errors.ts'
import { ApiError, getErrorMessage } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'

/** The page for a failed verification (SPEC.md section 4), chosen by the message, and its options. */
export function verificationResult(failure: unknown): [path: string, NavigateOptions] {
  const message = failure instanceof ApiError ? failure.message : ''
  const options = { replace: true, state: { reason: getErrorMessage(failure, '') } }
  if (message === errors.verification_link_expired.message) return [paths.verifyExpired(), options]
  if (message === errors.verification_link_invalid.message) return [paths.verifyInvalid(), options]
  return [paths.verifyInternalError(), options]
}
