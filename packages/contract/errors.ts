const error = (status: number, message: string) => ({ status, message })

/**
 * Every error of the API: a stable code for programs, its HTTP status, and the text for users. Texts from SPEC.md
 * sections 5 and 8 are copied verbatim. A message contains its values in braces.
 */
export const errors = {
  invalid_input: error(400, 'Please check what you entered and try again.'),
  malformed_request: error(400, 'The request is malformed.'),
  // RFC 9110: the write was for a version that is no longer the latest.
  outdated: error(412, 'This was changed in the meantime. Reload it and try again.'),
  unsupported_media_type: error(415, 'Unsupported content type.'),
  body_too_large: error(413, 'The request is too large.'),

  // The client refreshes on every 401 that begins with "Unauthorized" (SPEC.md section 4), so only a missing,
  // expired or ended access token may begin that way.
  unauthorized: error(401, 'Unauthorized. Please log in.'),
  session_expired: error(401, 'Session expired. Please log in again.'),
  invalid_credentials: error(401, 'Invalid email or password'),
  account_suspended: error(403, 'Your account is suspended {until}. Reason: {reason}'),
  email_not_verified: error(403, 'Please verify your email before logging in.'),
  // The password was correct. The response sets a cookie for the second step, and the user is not logged in yet.
  code_needed: error(403, 'Enter the code from your authenticator app.'),
  wrong_code: error(403, 'That code is incorrect or was already used. Enter the current one.'),
  login_step_over: error(401, 'This login attempt has expired. Please log in again.'),
  // The same for every problem, so that it does not reveal whether the passkey is known or whose it is.
  passkey_refused: error(401, 'That passkey didn’t work. Try again or log in with your password.'),
  cross_site_request: error(403, 'Cross-site request blocked.'),

  export_not_found: error(404, 'Export not found. Request a new one.'),
  leaving_begun: error(409, 'It’s too late to cancel. Your account is being deleted.'),

  // For a logged-in user: it must differ from an expired session, which logs other pages out.
  wrong_password: error(403, 'Incorrect password. Please try again.'),
  passkey_not_added: error(400, 'Couldn’t add this passkey. Please try again.'),
  passkey_not_found: error(404, 'This passkey no longer exists.'),
  too_many_passkeys: error(409, 'You can have up to {max} passkeys. Remove one first.'),
  two_factor_on: error(409, 'Two-factor authentication is already on.'),
  two_factor_off: error(409, 'Two-factor authentication is off.'),
  setup_over: error(409, 'Setup timed out. Please start again.'),
  common_password: error(400, 'This password is too easy to guess. Avoid common passwords and your own name.'),

  verification_link_expired: error(410, 'Expired link'),
  // A link was used that could belong to several registrations of its address.
  password_needed: error(409, 'This email was registered more than once. Set a password to continue.'),
  verification_link_invalid: error(400, 'Invalid link'),
  email_link_invalid: error(400, 'This link is no longer valid. Change your email again in Settings.'),
  alert_link_invalid: error(400, 'This link has expired or was already used. Reset your password instead.'),
  registration_not_open: error(403, 'You need an invitation to register here.'),
  email_domain: error(403, 'Register with an email address ending in {domains}.'),
  invitation_invalid: error(400, 'This invitation has expired or was already used. Ask for a new one.'),
  invitation_waits: error(409, 'This email already has a pending invitation. You can resend it.'),
  invitation_over: error(409, 'This invitation is no longer valid. Send a new one.'),
  // Depends only on what was sent, so that visitors do not learn whether the note exists.
  claim_sent: error(409, 'You already sent this claim. If the note exists, we’ll email you the decision.'),
  reset_link_invalid: error(400, 'Reset link is invalid. Please request a new one.'),

  note_not_found: error(404, 'This note does not exist or has been deleted.'),
  course_not_found: error(404, 'This course has no notes yet.'),
  too_many_courses: error(409, 'You can follow up to {max} courses.'),
  unsubscribe_link_invalid: error(
    400,
    'This link is incomplete. Open it again from the email, or log in and change your email settings.',
  ),
  thumbnail_not_found: error(404, 'This preview doesn’t exist or has been deleted.'),
  person_not_found: error(404, 'This author doesn’t exist or has no notes with their name.'),
  own_note_report: error(403, 'You can’t report your own note. Edit or delete it instead.'),
  already_reported: error(409, 'You’ve already reported this note. Thank you!'),
  too_many_reports: error(429, 'You can report up to {max} notes per 24 hours. Try again {when}.'),
  own_note_decision: error(403, 'You can’t moderate your own note.'),
  nothing_to_decide: error(409, 'This decision no longer applies to the note.'),
  new_reports: error(409, 'New reports have arrived. Read them before you decide.'),
  question_open: error(409, 'The author hasn’t answered the last question yet.'),
  too_many_questions: error(409, 'You’ve asked the author {max} questions. Please make a decision.'),
  member_not_found: error(404, 'This account no longer exists.'),
  own_account: error(403, 'You can’t do this to your own account. Ask another admin.'),
  not_suspended: error(409, 'This account is no longer suspended.'),
  note_not_anonymous: error(409, 'This note isn’t anonymous. Suspend the author’s account instead.'),
  not_asked: error(409, 'This question was already answered or closed.'),
  question_replaced: error(409, 'The moderators have asked a new question. Please answer that one.'),
  nothing_to_object: error(409, 'This note is no longer hidden, or you’ve already appealed.'),
  own_note_rating: error(403, 'You can’t rate your own note.'),
  upload_limit: error(400, 'You can only upload up to {maxFiles} files, each up to {maxSizeMb}MB.'),
  upload_too_large: error(413, 'You can only upload up to {maxFiles} files, each up to {maxSizeMb}MB.'),
  upload_without_file: error(400, 'Please select at least one file to upload.'),
  upload_not_pdf: error(400, 'Only PDF files can be uploaded. “{fileName}” isn’t a readable PDF.'),
  upload_locked: error(422, '“{fileName}” is password-protected. Remove the password and upload it again.'),
  upload_too_complex: error(
    422,
    '“{fileName}” takes too long to check. Print it to a new PDF and upload that instead.',
  ),
  upload_infected: error(422, '“{fileName}” was rejected by the virus scanner.'),
  upload_unscannable: error(422, '“{fileName}” can’t be fully scanned for viruses, so it was rejected.'),
  // Files wait or are refused until the scanner works again; none is shared unscanned.
  scanner_away: error(503, 'Uploads are paused because the virus scanner is unavailable. Try again in a few minutes.'),
  cannot_anonymise: error(422, '“{fileName}” can’t be uploaded anonymously because it’s locked or damaged.'),

  upload_key_used: error(
    409,
    'This upload was cancelled, or another file was sent in its place. Choose the file again.',
  ),
  too_many_uploads: error(429, 'You already have {max} uploads in progress. Wait for one to finish.'),
  daily_upload_limit: error(429, 'You can upload up to {maxMb} MB per 24 hours. Upload the rest {when}.'),
  upload_over_daily_limit: error(
    413,
    'This is more than the {maxMb} MB you can upload per 24 hours. Split it or make it smaller.',
  ),
  file_missing: error(500, 'This note’s file is missing. Delete the note and upload it again.'),

  storage_full: error(
    507,
    'Lectern is almost out of disk space and can’t save anything new. Reading and deleting still work.',
  ),

  not_found: error(404, 'Not found.'),
  rate_limited: error(429, 'Too many attempts. Please try again {when}.'),
  search_timeout: error(503, 'This search took too long and was stopped. Add a course, a year or a rarer word.'),
  busy: error(503, 'Lectern is very busy right now. Please try again in a moment.'),
  unavailable: error(503, 'Lectern is not available right now. Please try again in a moment.'),
  // An unexpected error. The client shows its own fallback for exactly this message (SPEC.md section 8).
  unexpected: error(500, 'An error occurred'),
}

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
