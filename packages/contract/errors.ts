/**
 * Every error of the API: a stable code for programs, its HTTP status, and the text for users. Texts from SPEC.md
 * sections 5 and 8 are copied verbatim. A message contains its values in braces.
 */
export const errors = {
  invalid_input: { status: 400, message: 'Please check what you entered and try again.' },
  malformed_request: { status: 400, message: 'The request could not be read.' },
  // RFC 9110: the write was for a version that is no longer the latest.
  outdated: { status: 412, message: 'This was changed in the meantime. Reload it and try again.' },
  unsupported_media_type: { status: 415, message: 'The request is not in a form Lectern understands.' },
  body_too_large: { status: 413, message: 'The request is too large.' },

  // The client refreshes on every 401 that begins with "Unauthorized" (SPEC.md section 4), so only a missing,
  // expired or ended access token may begin that way.
  unauthorized: { status: 401, message: 'Unauthorized. Please log in.' },
  session_expired: { status: 401, message: 'Session expired. Please log in again.' },
  invalid_credentials: { status: 401, message: 'Invalid email or password' },
  account_suspended: { status: 403, message: 'Your account is suspended {until}. The reason: {reason}' },
  email_not_verified: { status: 403, message: 'Please verify your email before logging in.' },
  // The password was correct. The response sets a cookie for the second step, and the user is not logged in yet.
  code_needed: { status: 403, message: 'Please enter the code that your app shows.' },
  wrong_code: { status: 403, message: 'This code is not right, or was used before. Please enter the one shown now.' },
  login_step_over: { status: 401, message: 'Too much time or too many codes: please log in again.' },
  // The same for every problem, so that it does not reveal whether the passkey is known or whose it is.
  passkey_refused: {
    status: 401,
    message: 'This passkey did not work. Please try again, or log in with your password.',
  },
  cross_site_request: { status: 403, message: 'This request came from another site and was refused.' },

  export_not_found: { status: 404, message: 'There is no export of yours. Please ask for another one.' },
  leaving_begun: { status: 409, message: 'The 7 days are over: your account is being deleted.' },

  // For a logged-in user: it must differ from an expired session, which logs other pages out.
  wrong_password: { status: 403, message: 'This is not your password. Please try again.' },
  passkey_not_added: { status: 400, message: 'This passkey could not be added. Please try again.' },
  passkey_not_found: { status: 404, message: 'There is no such passkey of yours any more.' },
  too_many_passkeys: { status: 409, message: 'You can have up to {max} passkeys. Please remove one first.' },
  two_factor_on: { status: 409, message: 'Two-factor login is on already.' },
  two_factor_off: { status: 409, message: 'Two-factor login is off.' },
  setup_over: { status: 409, message: 'This took too long. Please begin again.' },
  common_password: {
    status: 400,
    message:
      'This password is easy to guess: it is a common one, or built on a common one or on your name. Please choose another.',
  },

  verification_link_expired: { status: 410, message: 'Expired link' },
  // A link was used that could belong to several registrations of its address.
  password_needed: {
    status: 409,
    message: 'This email was registered more than once. Please choose the password of your account.',
  },
  verification_link_invalid: { status: 400, message: 'Invalid link' },
  email_link_invalid: {
    status: 400,
    message: 'This link no longer works. Please change your email again in the settings.',
  },
  alert_link_invalid: {
    status: 400,
    message: 'This link was used before or is too old. Please ask for a new password instead.',
  },
  registration_not_open: { status: 403, message: 'You need an invitation to register here.' },
  email_domain: { status: 403, message: 'You can register here with an email of {domains}.' },
  invitation_invalid: {
    status: 400,
    message: 'This invitation was used before, or is too old. Please ask for another one.',
  },
  invitation_waits: { status: 409, message: 'This email is invited already. You can send that invitation again.' },
  invitation_over: { status: 409, message: 'This invitation is not good any more. Please invite them anew.' },
  // Depends only on what was sent, so that visitors do not learn whether the note exists.
  claim_sent: {
    status: 409,
    message: 'You have sent exactly this before. If there is such a note, what the moderators decide comes by mail.',
  },
  reset_link_invalid: { status: 400, message: 'Reset link is invalid. Please request a new one.' },

  note_not_found: { status: 404, message: 'This note does not exist or has been deleted.' },
  course_not_found: { status: 404, message: 'Nobody has shared notes for this course yet.' },
  too_many_courses: { status: 409, message: 'You can follow up to {max} courses.' },
  unsubscribe_link_invalid: {
    status: 400,
    message: 'This link is not complete. Please open it from the mail again, or log in and choose there.',
  },
  thumbnail_not_found: { status: 404, message: 'This picture does not exist or has been deleted.' },
  person_not_found: { status: 404, message: 'Nobody shares notes by name at this address.' },
  own_note_report: { status: 403, message: 'This is your own note. You can edit or delete it.' },
  already_reported: { status: 409, message: 'You have reported this note already. Thank you!' },
  too_many_reports: {
    status: 429,
    message: 'You can report up to {max} notes in 24 hours. Please report the others {when}.',
  },
  own_note_decision: { status: 403, message: 'Another moderator has to decide on your own note.' },
  nothing_to_decide: { status: 409, message: 'Nothing about this note waits for that decision any more.' },
  question_open: { status: 409, message: 'Its author has been asked already, and has not answered yet.' },
  too_many_questions: { status: 409, message: 'Its author has been asked {max} times. Please decide now.' },
  member_not_found: { status: 404, message: 'There is no such account any more.' },
  own_account: { status: 403, message: 'Another admin has to do this with your own account.' },
  not_suspended: { status: 409, message: 'This account is not suspended any more.' },
  note_not_anonymous: {
    status: 409,
    message: 'This note has its author’s name on it. Please suspend the account by its name.',
  },
  not_asked: { status: 409, message: 'The moderators have decided meanwhile, or have your answer already.' },
  question_replaced: {
    status: 409,
    message: 'The moderators ask something else by now. Please read that, and answer it.',
  },
  nothing_to_object: { status: 409, message: 'This note is not hidden any more, or you have objected already.' },
  own_note_rating: { status: 403, message: 'You cannot rate your own note.' },
  upload_limit: { status: 400, message: 'You can only upload up to {maxFiles} files, each up to {maxSizeMb}MB.' },
  upload_too_large: { status: 413, message: 'You can only upload up to {maxFiles} files, each up to {maxSizeMb}MB.' },
  upload_without_file: { status: 400, message: 'Please select at least one file to upload.' },
  upload_not_pdf: {
    status: 400,
    message: 'Only PDF files can be uploaded. "{fileName}" is not a PDF that can be read.',
  },
  upload_locked: {
    status: 422,
    message:
      '"{fileName}" opens with a password only, so nobody could read it. Please save it without the password and upload that.',
  },
  upload_too_complex: {
    status: 422,
    message: '"{fileName}" takes too long to check. Please print it to a new PDF and share that instead.',
  },
  upload_infected: {
    status: 422,
    message: '"{fileName}" cannot be shared: the virus scanner found something harmful in it.',
  },
  upload_unscannable: {
    status: 422,
    message: '"{fileName}" cannot be shared: the virus scanner cannot look through all of it.',
  },
  // Files wait or are refused until the scanner works again; none is shared unscanned.
  scanner_away: {
    status: 503,
    message:
      'Nobody can look for viruses in files right now, so none can be shared. Please try again in a few minutes.',
  },
  cannot_anonymise: {
    status: 422,
    message:
      '"{fileName}" cannot be shared anonymously: it is locked or damaged, so its author details cannot be removed.',
  },

  upload_key_used: {
    status: 409,
    message: 'This upload was cancelled, or another file was sent in its place. Choose the file again.',
  },
  too_many_uploads: {
    status: 429,
    message: 'You already have {max} uploads under way. Please wait until one of them is done.',
  },
  daily_upload_limit: {
    status: 429,
    message: 'You can upload up to {maxMb} MB in 24 hours. Please upload the rest {when}.',
  },
  upload_over_daily_limit: {
    status: 413,
    message: 'This is more than the {maxMb} MB that you can upload in 24 hours. Please split it, or make it smaller.',
  },
  file_missing: {
    status: 500,
    message: 'The file of this note is missing. Please delete the note and upload the file again.',
  },

  storage_full: {
    status: 507,
    message:
      'Lectern is almost out of disk space and saves nothing new until there is more. Reading and deleting still work.',
  },

  not_found: { status: 404, message: 'There is nothing at this address.' },
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

/** The error codes of an endpoint that asks for the current password again. */
export const passwordConfirmationErrors = ['invalid_input', 'wrong_password', 'busy'] as const

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
