import type { DecisionKind } from '../../../packages/contract/moderation.ts'
import { answerDays } from '../../../packages/contract/moderation-limits.ts'
import { type Rule, ruleNames } from '../../../packages/contract/moderation-rules.ts'
import type { NotesOnDeletion } from '../../../packages/contract/settings.ts'
import type { MailContent } from './render-mail.ts'

/*
 * The texts of all mails by topic: registration and login, account settings, security alerts, course digests,
 * moderation.
 */

const formatTime = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' at ')} UTC`

/** Sent to a new user: the link activates the account and works for 24 hours. */
export const verificationMail = (token: string): MailContent => ({
  subject: 'Verify your email for Lectern',
  paragraphs: ['Welcome to Lectern! Verify your email to activate your account.'],
  action: {
    label: 'Verify email',
    link: `/verify?token=${encodeURIComponent(token)}`,
    explained: 'The link expires in 24 hours.',
  },
  smallPrint: ['If you didn’t register, you can ignore this email.'],
})

/** Sent to a verified user whose address is registered again: the page never reveals that it is taken. */
export const accountExistsMail: MailContent = {
  subject: 'You already have a Lectern account',
  paragraphs: [
    'Someone tried to register at Lectern with this email address. You already have an account, so nothing has changed.',
  ],
  action: { label: 'Log in', link: '/login', explained: 'Log in with your existing password.' },
  links: [{ label: 'Forgot your password? Reset it', link: '/forgot-password' }],
  smallPrint: ['If this wasn’t you, you can ignore this email.'],
}

/** Sent when a reset is requested for an address without an account: the page never reveals that there is none. */
export const noAccountMail: MailContent = {
  subject: 'No Lectern account with this email',
  paragraphs: [
    'Someone asked to reset a Lectern password for this email address, but there is no account with it.',
    'Did you register with a different address? If you’re new, you can create an account.',
  ],
  action: { label: 'Register', link: '/register', explained: 'No account has been created for you.' },
  smallPrint: ['If this wasn’t you, you can ignore this email.'],
}

/** Sent to a user who forgot the password: the link to choose a new one works once within an hour. */
export const passwordResetMail = (token: string): MailContent => ({
  subject: 'Reset your Lectern password',
  paragraphs: ['Someone asked to reset the password of your Lectern account.'],
  action: {
    label: 'Reset password',
    link: `/reset-password?token=${encodeURIComponent(token)}`,
    explained: 'The link works once and expires in 1 hour.',
  },
  smallPrint: ['If you didn’t ask for this, you can ignore this email. Your password won’t change.'],
})

/** Sent to a person who may register, regardless of who else may. */
export const invitationMail = (token: string): MailContent => ({
  subject: 'You are invited to Lectern',
  paragraphs: ['You’ve been invited to join Lectern, where students share study notes.'],
  action: {
    label: 'Register',
    link: `/register?invitation=${encodeURIComponent(token)}`,
    explained: 'The link works once and expires in 14 days.',
  },
  smallPrint: ['Not interested? You can ignore this email.'],
})

/** Sent to the new address of a user: the link proves the mailbox and works for 24 hours. */
export const confirmEmailMail = (token: string): MailContent => ({
  subject: 'Confirm your new email for Lectern',
  paragraphs: ['Confirm this address to use it for your Lectern account.'],
  action: {
    label: 'Confirm email',
    link: `/confirm-email?token=${encodeURIComponent(token)}`,
    explained: 'The link expires in 24 hours. Only the latest link works.',
  },
  smallPrint: ['If you didn’t ask for this, you can ignore this email.'],
})

/** Sent to a user whose address another user wants: the page never reveals that it is taken. */
export const emailTakenMail: MailContent = {
  subject: 'This email already has a Lectern account',
  paragraphs: [
    'Someone tried to use this email address for another Lectern account. It already belongs to your account, so nothing has changed.',
  ],
  action: {
    label: 'Log in',
    link: '/login',
    explained: 'To use this address for another account, change the email of this one first.',
  },
  smallPrint: ['If this wasn’t you, you can ignore this email.'],
}

/** Sent to a user whose export is ready. The mail does not contain it: only the signed-in user gets it. */
export const exportReadyMail = (expiresAt: Date): MailContent => ({
  subject: 'Your Lectern export is ready',
  paragraphs: [`Your data export is ready. You can download it until ${formatTime(expiresAt)}.`],
  action: { label: 'Download export', link: '/settings#export', explained: 'You’ll need to log in.' },
  smallPrint: ['If you didn’t ask for this, someone else may be logged in to your account. Change your password.'],
})

const outcomesForNotes: Record<NotesOnDeletion, string> = {
  keep: 'Your notes stay, without your name. Notes that couldn’t be anonymised were deleted.',
  remove:
    'The notes with your name were deleted with it. Your anonymous notes will be deleted one by one, at random times over the next 30 days.',
  'remove-now': 'Your notes were deleted with it.',
}

/** Sent to an admin or the operator when a part of the instance fails, or works again. */
export const problemMail = ({ text, isOver }: { text: string; isOver: boolean }): MailContent => ({
  subject: isOver ? 'A problem with Lectern is resolved' : 'Lectern needs your attention',
  paragraphs: isOver ? ['This problem is resolved:', text] : [text],
  action: {
    label: 'See what needs attention',
    link: '/admin',
    explained: 'You’ll need to log in as an admin.',
  },
  smallPrint: ['Admins get this email at most once a day for each kind of problem, and once more when it is resolved.'],
})

/** Sent to the address of a deleted account. */
export const accountDeletedMail = (notes: NotesOnDeletion): MailContent => ({
  subject: 'Your Lectern account was deleted',
  paragraphs: [`Your Lectern account has been deleted. ${outcomesForNotes[notes]}`],
  action: {
    label: 'Register',
    link: '/register',
    explained: 'You can register again with this address at any time.',
  },
  smallPrint: [],
})

type Alert = {
  subject: string
  text: string
  /** What the link does besides ending all access. */
  undoes?: string
}

const alerts = {
  'password-changed': {
    subject: 'Your Lectern password was changed',
    text: 'Your Lectern password was changed, and all other devices were logged out.',
  },
  'email-changed': {
    subject: 'Your Lectern account has a new email',
    text: 'The email address of your Lectern account was changed. You can no longer log in with this address.',
    undoes: 'restores this address',
  },
  'new-device': {
    subject: 'New login to your Lectern account',
    text: 'Someone logged in to your Lectern account from a new device or browser.',
  },
  leaving: {
    subject: 'Your Lectern account will be deleted',
    text: 'Your Lectern account is scheduled for deletion in 7 days. Log in before then to cancel.',
    undoes: 'cancels the deletion',
  },
  'passkey-added': {
    subject: 'A passkey was added to Lectern',
    text: 'A passkey was added to your Lectern account. It can be used to log in without your password.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed from Lectern',
    text: 'A passkey was removed from your Lectern account. It can no longer be used to log in.',
  },
  'two-factor-on': {
    subject: 'Two-factor authentication turned on',
    text: 'Two-factor authentication was turned on for your Lectern account. You now need a code from your authenticator app to log in.',
    undoes: 'turns it off again',
  },
  'two-factor-off': {
    subject: 'Two-factor authentication turned off',
    text: 'Two-factor authentication was turned off for your Lectern account. You now log in with just your password.',
  },
  'recovery-codes-renewed': {
    subject: 'You have new recovery codes',
    text: 'New recovery codes were generated for your Lectern account. Your old codes no longer work.',
    undoes: 'cancels the new codes',
  },
} satisfies Record<string, Alert>

export type AlertKind = keyof typeof alerts
/** The other alerts name the time and, if it is known, the device. */
const alertsWithoutTime: readonly AlertKind[] = ['password-changed', 'email-changed', 'leaving']

/** Sent to a user whose account was changed or used on a new device, so that the user learns of one by someone else. */
export function securityAlertMail(
  token: string,
  { kind, device, createdAt }: { kind: AlertKind; device: string | null; createdAt: Date },
): MailContent {
  const { subject, text, undoes }: Alert = alerts[kind]
  const place = device ?? (kind === 'new-device' ? 'Unknown device' : null)
  const time = formatTime(createdAt)
  return {
    subject,
    paragraphs: [text, ...(alertsWithoutTime.includes(kind) ? [] : [place === null ? time : `${place}, ${time}`])],
    action: {
      label: 'Secure my account',
      link: `/not-me?token=${encodeURIComponent(token)}`,
      explained: `If this wasn’t you: this ${undoes ? `${undoes}, ` : ''}logs out all devices, removes all passkeys and lets you set a new password. The link expires in 7 days.`,
    },
    links: kind === 'leaving' ? [{ label: 'Changed your mind? Log in to cancel', link: '/login' }] : [],
    smallPrint: ['If this was you, you don’t need to do anything.'],
  }
}

/** A course with the number of its new notes and a link to them. */
export type CourseNews = { course: string; notes: number; link: string }

/**
 * Sent to a student who requested it: the new notes of followed courses, one row per course. It contains neither titles
 * nor authors, because a user could choose them to place text in a mail of ours.
 */
export const courseDigestMail = (
  news: CourseNews[],
  frequency: 'daily' | 'weekly',
  unsubscribeLink: string,
): MailContent => ({
  subject: 'New notes in your courses',
  paragraphs: ['New notes in the courses you follow:'],
  entries: news.map(({ course, notes, link }) => ({
    label: course,
    detail: notes === 1 ? '1 new note' : `${notes} new notes`,
    link,
  })),
  action: {
    label: 'See your courses',
    link: '/courses',
    explained: 'You can also change how often you get these emails there.',
  },
  links: [{ label: 'Unsubscribe', link: unsubscribeLink }],
  smallPrint: [
    frequency === 'daily'
      ? 'You get this email at most once a day because you follow these courses.'
      : 'You get this email at most once a week because you follow these courses.',
  ],
  unsubscribeLink,
})

type Decided = { kind: DecisionKind; rule: Rule; reason: string }

const noteSubjects: Record<DecisionKind, string> = {
  keep: 'Your note was kept',
  correct: 'Your note was corrected',
  hide: 'Your note was hidden',
  restore: 'Your note was restored',
  uphold: 'Your note stays hidden',
}

const noteOutcomes: Record<DecisionKind, (title: string) => string> = {
  keep: (title) => `The moderators reviewed “${title}” and kept it as it is.`,
  correct: (title) => `The moderators corrected the course, year or instructor of “${title}”.`,
  hide: (title) =>
    `The moderators hid “${title}”. Only you and the moderators can see it. It keeps its likes, and you can appeal once.`,
  restore: (title) => `“${title}” is visible to everyone again, with its likes.`,
  uphold: (title) => `The moderators reviewed your appeal. “${title}” stays hidden.`,
}

/** Sent to the author of a note that moderators decided on. */
export const noteDecidedMail = (title: string, { kind, rule, reason }: Decided): MailContent => ({
  subject: noteSubjects[kind],
  paragraphs: [noteOutcomes[kind](title), `Guideline: ${ruleNames[rule]}. Reason:`, { quote: reason }],
  action: { label: 'View in My Notes', link: '/my-notes', explained: 'You’ll need to log in.' },
  smallPrint: [unknownToModerators],
})

/** Sent to the author of a reported note before a decision. */
export const moderatorsAskMail = (title: string, question: string): MailContent => ({
  subject: 'The moderators have a question about your note',
  paragraphs: [
    `The moderators have a question about “${title}”:`,
    { quote: question },
    `Please answer within ${answerDays} days.`,
  ],
  action: { label: 'Answer in My Notes', link: '/my-notes', explained: 'You’ll need to log in.' },
  smallPrint: [unknownToModerators],
})

const unknownToModerators =
  'If the note is anonymous, the moderators don’t know it’s yours. This email was sent automatically.'

const claimOutcomes: Partial<Record<DecisionKind, string>> = {
  keep: 'The moderators reviewed your claim. The note stays.',
  correct: 'The moderators reviewed your claim. The note stays, with corrected course details.',
  hide: 'The moderators reviewed your claim and hid the note. Only its author and the moderators can see it.',
}

/**
 * Sent to a person without an account who claimed a note.
 * @param noteId the note that the claimant named, where it is known.
 * @param decided null when its author has deleted the note.
 */
export const claimDecidedMail = (noteId: string | null, decided: Decided | null): MailContent => ({
  subject: 'Decision on your copyright claim',
  paragraphs: [
    ...(noteId === null ? [] : [`Your claim was about the note ${noteId}.`]),
    ...(decided
      ? [
          claimOutcomes[decided.kind] ?? 'The moderators reviewed your claim.',
          `Guideline: ${ruleNames[decided.rule]}. Reason:`,
          { quote: decided.reason },
        ]
      : ['That note no longer exists.']),
  ],
  action: { label: 'Read the guidelines', link: '/rules', explained: 'You don’t need an account.' },
  smallPrint: ['We don’t disclose who uploaded a note. We’ll delete your name and email address in 30 days.'],
})

/** `title` is the note that caused the suspension, if any. */
type Suspended = { until: string; reason: string; title: string | null }

/** Sent to a user whom an admin has suspended. */
export const suspendedMail = ({ until, reason, title }: Suspended): MailContent => ({
  subject: 'Your Lectern account is suspended',
  paragraphs: [
    title === null
      ? `Your account is suspended ${until}.`
      : `Your account is suspended ${until} because of the note “${title}”.`,
    'Until then you can only log in to export your data or delete your account.',
    'Reason:',
    { quote: reason },
  ],
  action: { label: 'Read the guidelines', link: '/rules', explained: 'You don’t need to log in.' },
  smallPrint: [
    ...(title === null ? [] : [unknownAuthor]),
    'Think this is a mistake? Contact the people who run this site. The home page says who they are.',
  ],
})

export const suspensionLiftedMail: MailContent = {
  subject: 'Your Lectern account is active again',
  paragraphs: ['Your account is no longer suspended. You have full access again.'],
  action: { label: 'Log in', link: '/login', explained: 'Log in with your usual password.' },
  smallPrint: [],
}

const unknownAuthor = 'If the note is anonymous, nobody has been told it’s yours. This email was sent automatically.'
