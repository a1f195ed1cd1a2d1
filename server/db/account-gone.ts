import { hasCode } from '../error-code.ts'

const foreignKeyViolation = '23503'
/** Of what a student has or does, in whatever table. */
const ofAUser = /_(user|owner|reader|reporter)_id_fkey$/

/** True where something was to be kept for an account that has gone meanwhile. */
export const isAccountGone = (error: unknown): boolean =>
  hasCode(error, foreignKeyViolation) && 'constraint' in error && ofAUser.test(String(error.constraint))
