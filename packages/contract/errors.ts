/**
 * Every error of the API: a stable code for programs, its HTTP status, and the text for users. Texts from SPEC.md
 * sections 5 and 8 are copied verbatim. A message contains its values in braces.
 */
export const errors = {
  invalid_input: { status: 400, message: 'Please check what you entered and try again.' },
  malformed_request: { status: 400, message: 'The request is malformed.' },
  // RFC 9110: the write was for a version that is no longer the latest.
  outdated: { status: 412, message: 'This was changed in the meantime. Reload it and try again.' },
  unsupported_media_type: { status: 415, message: 'Unsupported content type.' },
  body_too_large: { status: 413, message: 'The request is too large.' },

  // The client refreshes on every 401 that begins with "Unauthorized" (SPEC.md section 4), so only a missing,
  // expired or ended access token may begin that way.
  unauthorized: { status: 401, message: 'Unauthorized. Please log in.' },
  session_expired: { status: 401, message: 'Session expired. Please log in again.' },
  invalid_credentials: { status: 401, message: 'Invalid email or password' },
  account_suspended: { status: 403, message: 'Your account is suspended {until}. Reason: {reason}' },
  email_not_verified: { status: 403, message: 'Please verify your email before logging in.' },
  // The password was correct. The response sets a cookie for the second step, and the user is not logged in yet.
  code_needed: { status: 403, message: 'Enter the code from your authenticator app.' },
  wrong_code: { status: 403, message: 'That code is incorrect or was already used. Enter the current one.' },
  login_step_over: { status: 401, message: 'This login attempt has expired. Please log in again.' },
  // The same for every problem, so that it does not reveal whether the passkey is known or whose it is.
  passkey_refused: {
    status: 401,
    message: 'That passkey didn’t work. Try again or log in with your password.',
  },
  cross_site_request: { status: 403, message: 'Cross-site request blocked.' },

  export_not_found: { status: 404, message: 'Export not found. Request a new one.' },
  leaving_begun: { status: 409, message: 'It’s too late to cancel. Your account is being deleted.' },

  // For a logged-in user: it must differ from an expired session, which logs other pages out.
  wrong_password: { status: 403, message: 'Incorrect password. Please try again.' },
  passkey_not_added: { status: 400, message: 'Couldn’t add this passkey. Please try again.' },
  passkey_not_found: { status: 404, message: 'This passkey no longer exists.' },
  too_many_passkeys: { status: 409, message: 'You can have up to {max} passkeys. Remove one first.' },
  two_factor_on: { status: 409, message: 'Two-factor authentication is already on.' },
  two_factor_off: { status: 409, message: 'Two-factor authentication is off.' },
  setup_over: { status: 409, message: 'Setup timed out. Please start again.' },
  common_password: {
    status: 400,
    message: 'This password is too easy to guess. Avoid common passwords and your own name.',
  },

  verification_link_expired: { status: 410, message: 'Expired link' },
  // A link was used that could belong to several registrations of its address.
  password_needed: {
    status: 409,
    message: 'This email was registered more than once. Set a password to continue.',
  },
  verification_link_invalid: { status: 400, message: 'Invalid link' },
  email_link_invalid: {
    status: 400,
    message: 'This link is no longer valid. Change your email again in Settings.',
  },
  alert_link_invalid: {
    status: 400,
    message: 'This link has expired or was already used. Reset your password instead.',
  },
  registration_not_open: { status: 403, message: 'You need an invitation to register here.' },
  email_domain: { status: 403, message: 'Register with an email address ending in {domains}.' },
  invitation_invalid: {
    status: 400,
    message: 'This invitation has expired or was already used. Ask for a new one.',
  },
  invitation_waits: { status: 409, message: 'This email already has a pending invitation. You can resend it.' },
  invitation_over: { status: 409, message: 'This invitation is no longer valid. Send a new one.' },
  // Depends only on what was sent, so that visitors do not learn whether the note exists.
  claim_sent: {
    status: 409,
    message: 'You already sent this claim. If the note exists, we’ll email you the decision.',
  },
  reset_link_invalid: { status: 400, message: 'Reset link is invalid. Please request a new one.' },

  note_not_found: { status: 404, message: 'This note does not exist or has been deleted.' },
  course_not_found: { status: 404, message: 'This course has no notes yet.' },
  too_many_courses: { status: 409, message: 'You can follow up to {max} courses.' },
  unsubscribe_link_invalid: {
    status: 400,
    message: 'This link is incomplete. Open it again from the email, or log in and change your email settings.',
  },
  thumbnail_not_found: { status: 404, message: 'This preview doesn’t exist or has been deleted.' },
  person_not_found: { status: 404, message: 'This author doesn’t exist or has no notes with their name.' },
  own_note_report: { status: 403, message: 'You can’t report your own note. Edit or delete it instead.' },
  already_reported: { status: 409, message: 'You’ve already reported this note. Thank you!' },
  too_many_reports: {
    status: 429,
    message: 'You can report up to {max} notes per 24 hours. Try again {when}.',
  },
  own_note_decision: { status: 403, message: 'You can’t moderate your own note.' },
  nothing_to_decide: { status: 409, message: 'This decision no longer applies to the note.' },
  new_reports: { status: 409, message: 'New reports have arrived. Read them before you decide.' },
  question_open: { status: 409, message: 'The author hasn’t answered the last question yet.' },
  too_many_questions: { status: 409, message: 'You’ve asked the author {max} questions. Please make a decision.' },
  member_not_found: { status: 404, message: 'This account no longer exists.' },
  own_account: { status: 403, message: 'You can’t do this to your own account. Ask another admin.' },
  not_suspended: { status: 409, message: 'This account is no longer suspended.' },
  note_not_anonymous: {
    status: 409,
    message: 'This note isn’t anonymous. Suspend the author’s account instead.',
  },
  not_asked: { status: 409, message: 'This question was already answered or closed.' },
  question_replaced: {
    status: 409,
    message: 'The moderators have asked a new question. Please answer that one.',
  },
  nothing_to_object: { status: 409, message: 'This note is no longer hidden, or you’ve already appealed.' },
  own_note_rating: { status: 403, message: 'You can’t rate your own note.' },
  upload_limit: { status: 400, message: 'You can only upload up to {maxFiles} files, each up to {maxSizeMb}MB.' },
  upload_too_large: { status: 413, message: 'You can only upload up to {maxFiles} files, each up to {maxSizeMb}MB.' },
  upload_without_file: { status: 400, message: 'Please select at least one file to upload.' },
  upload_not_pdf: {
    status: 400,
    message: 'Only PDF files can be uploaded. “{fileName}” isn’t a readable PDF.',
  },
  upload_locked: {
    status: 422,
    message: '“{fileName}” is password-protected. Remove the password and upload it again.',
  },
  upload_too_complex: {
    status: 422,
    message: '“{fileName}” takes too long to check. Print it to a new PDF and upload that instead.',
  },
  upload_infected: {
    status: 422,
    message: '“{fileName}” was rejected by the virus scanner.',
  },
  upload_unscannable: {
    status: 422,
    message: '“{fileName}” can’t be fully scanned for viruses, so it was rejected.',
  },
  // Files wait or are refused until the scanner works again; none is shared unscanned.
  scanner_away: {
    status: 503,
    message: 'Uploads are paused because the virus scanner is unavailable. Try again in a few minutes.',
  },
  cannot_anonymise: {
    status: 422,
    message: '“{fileName}” can’t be uploaded anonymously because it’s locked or damaged.',
  },

  upload_key_used: {
    status: 409,
    message: 'This upload was cancelled, or another file was sent in its place. Choose the file again.',
  },
  too_many_uploads: {
    status: 429,
    message: 'You already have {max} uploads in progress. Wait for one to finish.',
  },
  daily_upload_limit: {
    status: 429,
    message: 'You can upload up to {maxMb} MB per 24 hours. Upload the rest {when}.',
  },
  upload_over_daily_limit: {
    status: 413,
    message: 'This is more than the {maxMb} MB you can upload per 24 hours. Split it or make it smaller.',
  },
  file_missing: {
    status: 500,
    message: 'This note’s file is missing. Delete the note and upload it again.',
  },

  storage_full: {
    status: 507,
    message: 'Lectern is almost out of disk space and can’t save anything new. Reading and deleting still work.',
  },

  not_found: { status: 404, message: 'Not found.' },
  rate_limited: { status: 429, message: 'Too many attempts. Please try again {when}.' },
  search_timeout: {
    status: 503,
    message: 'This search took too long and was stopped. Add a course, a year or a rarer word.',
  },
  busy: { status: 503, message: 'Lectern is very busy right now. Please try again in a moment.' },
  unavailable: { status: 503, message: 'Lectern is not available right now. Please try again in a moment.' },
  // An unexpected error. The client shows its own fallback for exactly this message (SPEC.md section 8).
  unexpected: { status: 500, message: 'An error occurred' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors

/** The body of every response that is not a success. `fields` maps the name of an input to its error message. */
export type ErrorBody = { message: string; code: ErrorCode; fields?: Record<string, string> }

/** Fills the values into an error message: `errorMessage('upload_limit', { maxFiles: 10, maxSizeMb: 25 })`. */
export function errorMessage(code: ErrorCode, values: Record<string, string | number> = {}): string {
  return errors[code].message.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole))
}

/** Returns the text for `{when}`. */
export function describeWait(seconds: number): string {
  const [minutes, hours] = [Math.ceil(seconds / 60), Math.ceil(seconds / 3600)]
  if (minutes <= 1) return 'in a minute'
  return minutes < 60 ? `in ${minutes} minutes` : hours === 1 ? 'in an hour' : `in ${hours} hours`
}
