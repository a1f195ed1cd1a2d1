import type { DecisionKind } from '../../../packages/contract/moderation.ts'
import { answerDays } from '../../../packages/contract/moderation-limits.ts'
import { type Rule, ruleNames } from '../../../packages/contract/moderation-rules.ts'
import type { NotesChoice } from '../../../packages/contract/settings.ts'
import { renderMail } from './mail-content.ts'
import type { Mail } from './mailer.ts'
import type { MailContent } from './render-html.ts'

/*
 * The texts of all mails by topic: registration and login, account settings, security alerts, course digests,
 * moderation.
 */

/** Sent to a new user: the link activates the account and works for 24 hours. */
export const verificationMail = (to: string, name: string, publicUrl: string, token: string): Mail =>
  renderMail(to, name, {
    subject: 'Verify your email for Lectern',
    paragraphs: ['Welcome to Lectern. One thing is left to do: show us that this mailbox is yours.'],
    action: {
      label: 'Verify my email',
      link: `${publicUrl}/verify?token=${encodeURIComponent(token)}`,
      explained:
        'It opens a page of Lectern. One more click there, and your account is active. The link works for 24 hours.',
    },
    smallPrint: [
      'You did not register? Then somebody typed your address by mistake. Do nothing, and no account will be active.',
    ],
  })

/** Sent to a verified user whose address is registered again: the page never reveals that it is taken. */
export const accountExistsMail = (to: string, name: string, publicUrl: string): Mail =>
  renderMail(to, name, {
    subject: 'You already have a Lectern account',
    paragraphs: [
      'Somebody, probably you, just tried to register at Lectern with this email address. You already have an account, so nothing was changed.',
    ],
    action: {
      label: 'Log in',
      link: `${publicUrl}/login`,
      explained: 'It opens the login. Your password is the one you have always had.',
    },
    links: [{ label: 'Forgot your password? Choose a new one here', link: `${publicUrl}/forgot-password` }],
    smallPrint: ['It was not you? There is nothing to do: your account and your password are as they were.'],
  })

/** Sent when a reset is requested for an address without an account: the page never reveals that there is none. */
export const noAccountMail = (to: string, publicUrl: string): Mail =>
  renderMail(to, null, {
    subject: 'No Lectern account with this email',
    paragraphs: [
      'Somebody, probably you, asked to reset the password of a Lectern account with this email address. There is no such account.',
      'Maybe you registered with another address? If you are new, you are welcome to join.',
    ],
    action: {
      label: 'Register',
      link: `${publicUrl}/register`,
      explained: 'It opens the registration, which is empty: nothing was made for you.',
    },
    smallPrint: ['It was not you? There is nothing to do.'],
  })

/** Sent to a user who forgot the password: the link to choose a new one works once within an hour. */
export const passwordResetMail = (to: string, name: string, publicUrl: string, token: string): Mail =>
  renderMail(to, name, {
    subject: 'Choose a new password for Lectern',
    paragraphs: ['Somebody, probably you, asked to reset your Lectern password.'],
    action: {
      label: 'Choose a new password',
      link: `${publicUrl}/reset-password?token=${encodeURIComponent(token)}`,
      explained:
        'It opens a page where you type the new one; until then the old one stays. The link works once, within one hour, and only the newest link works.',
    },
    smallPrint: ['It was not you? Do nothing: your password stays as it is.'],
  })

/** Sent to a person who may register, regardless of who else may. */
export const invitationLetter = (to: string, publicUrl: string, token: string): Mail =>
  renderMail(to, null, {
    subject: 'You are invited to Lectern',
    paragraphs: ['You are invited to Lectern, where students share their notes.'],
    action: {
      label: 'Register',
      link: `${publicUrl}/register?invitation=${encodeURIComponent(token)}`,
      explained: 'It opens the page to register. The link works once, for 14 days.',
    },
    smallPrint: ['You do not want to? Then do nothing.'],
  })

/** Sent to the new address of a user: the link proves the mailbox and works for 24 hours. */
export const confirmEmailMail = (to: string, name: string, publicUrl: string, token: string): Mail =>
  renderMail(to, name, {
    subject: 'Confirm your new email for Lectern',
    paragraphs: ['Your Lectern account is to have this email address. One thing is left: show us that it is yours.'],
    action: {
      label: 'Confirm this email',
      link: `${publicUrl}/confirm-email?token=${encodeURIComponent(token)}`,
      explained:
        'It opens a page of Lectern. One more click there, and you log in with this address. The link works for 24 hours, and only the newest link works.',
    },
    smallPrint: ['You did not ask for this? Then somebody typed your address by mistake. Do nothing.'],
  })

/** Sent to a user whose address another user wants: the page never reveals that it is taken. */
export const emailTakenMail = (to: string, name: string, publicUrl: string): Mail =>
  renderMail(to, name, {
    subject: 'This email has a Lectern account already',
    paragraphs: [
      'Somebody, probably you, tried to give another Lectern account this email address. This account has it, so nothing was changed.',
    ],
    action: {
      label: 'Log in',
      link: `${publicUrl}/login`,
      explained: 'It opens the login. To use this address elsewhere, change the email of this account first.',
    },
    smallPrint: ['It was not you? There is nothing to do: your account is as it was.'],
  })

/** Sent to a user whose export is ready. The mail does not contain it: only the signed-in user gets it. */
export function exportReadyMail(to: string, name: string, publicUrl: string, expiresAt: Date): Mail {
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC`
  return renderMail(to, name, {
    subject: 'Your Lectern export is ready',
    paragraphs: [
      `What you asked for is ready: your notes and what Lectern knows of you, in one file. It is kept until ${until}.`,
    ],
    action: {
      label: 'Get it in the settings',
      link: `${publicUrl}/settings#export`,
      explained: 'It opens your settings. You have to be logged in.',
    },
    smallPrint: [
      'You did not ask for it? Then somebody else is logged in to your account: change your password there.',
    ],
  })
}

const toldOfNotes: Record<NotesChoice, string> = {
  keep: 'Your notes stay, without your name. Where a file could not be made anonymous, its note was deleted.',
  remove:
    'Your notes under your name were deleted with it. Your anonymous notes are deleted one by one, at random times over the next thirty days.',
  'remove-now': 'Your notes were deleted with it.',
}

/** Sent to an admin or the operator when a part of the instance fails, or works again. */
export const problemMail = (
  to: string,
  name: string | null,
  publicUrl: string,
  { text, isOver }: { text: string; isOver: boolean },
): Mail =>
  renderMail(to, name, {
    subject: isOver ? 'A problem of Lectern is over' : 'Lectern needs your attention',
    paragraphs: isOver ? ['This problem is over:', text] : [text],
    action: {
      label: 'See what needs attention',
      link: `${publicUrl}/admin`,
      explained: 'It opens the administration page, for admins.',
    },
    smallPrint: ['Admins get this at most once a day for each kind of problem, and when it is over.'],
  })

/** Sent to the address of a deleted account. */
export function accountDeletedMail(to: string, publicUrl: string, notes: NotesChoice): Mail {
  return renderMail(to, null, {
    subject: 'Your Lectern account was deleted',
    paragraphs: [`Your Lectern account was deleted, as you asked. ${toldOfNotes[notes]}`],
    action: {
      label: 'Register',
      link: `${publicUrl}/register`,
      explained: 'It opens the registration, should you come back one day. Your address is free to register anew.',
    },
    smallPrint: [],
  })
}

/** Sent after a change or reset of the password, so that the user learns of one by someone else. */
export const passwordChangedMail = (to: string, name: string, publicUrl: string, token: string): Mail =>
  renderMail(to, name, {
    subject: 'Your Lectern password was changed',
    paragraphs: [
      'The password of your Lectern account was just changed. Whoever was logged in elsewhere was logged out.',
    ],
    ...notMe(publicUrl, token),
  })

/** Sent to the previous address of a user. */
export const emailChangedMail = (to: string, name: string, publicUrl: string, token: string): Mail =>
  renderMail(to, name, {
    subject: 'Your Lectern account has a new email',
    paragraphs: [
      'The email address of your Lectern account was just changed. From now on it is used to log in, and this one no longer is.',
    ],
    ...notMe(publicUrl, token, 'gives the account this address again, logs out every device'),
  })

/** Sent to a user after the first login on a device. */
export function newDeviceMail(
  to: string,
  name: string,
  publicUrl: string,
  token: string,
  { device, at }: { device: string | null; at: Date },
): Mail {
  const when = at.toISOString().slice(0, 16).replace('T', ' at ')
  return renderMail(to, name, {
    subject: 'A new login to your Lectern account',
    paragraphs: [
      'Somebody, probably you, logged in to your Lectern account on a device or in a browser that was not used for it before.',
      `${device ?? 'Unknown device'}, ${when} UTC`,
    ],
    ...notMe(publicUrl, token),
  })
}

type Changed = 'passkey-added' | 'passkey-removed' | 'two-factor-on' | 'two-factor-off' | 'recovery-codes-renewed'

const changes: Record<Changed, { subject: string; text: string }> = {
  'passkey-added': {
    subject: 'A passkey was added to Lectern',
    text: 'A passkey was just added to your Lectern account. Whoever has it can log in without the password.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed from Lectern',
    text: 'A passkey was just removed from your Lectern account. Nobody can log in with it any more.',
  },
  'two-factor-on': {
    subject: 'Your Lectern login asks for a code now',
    text: 'Two-factor login was just turned on for your Lectern account. From now on a code of an app is asked for after the password.',
  },
  'two-factor-off': {
    subject: 'Your Lectern login asks for no code now',
    text: 'Two-factor login was just turned off for your Lectern account. From now on the password alone is asked for.',
  },
  'recovery-codes-renewed': {
    subject: 'You have new recovery codes',
    text: 'New recovery codes were just made for your Lectern account. The earlier ones work no more.',
  },
}

/** What the link also does, to undo a stranger's change. */
const undoing: Partial<Record<Changed, string>> = {
  'two-factor-on': 'turns it off again, logs out every device',
  'recovery-codes-renewed': 'makes the new codes void, logs out every device',
}

/** Sent to a user whose ways to log in were changed. */
export function loginMethodsChangedMail(
  to: string,
  name: string,
  publicUrl: string,
  token: string,
  { kind, device, at }: { kind: Changed; device: string | null; at: Date },
): Mail {
  const { subject, text } = changes[kind]
  const when = `${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`
  return renderMail(to, name, {
    subject,
    paragraphs: [text, device === null ? when : `${device}, ${when}`],
    ...notMe(publicUrl, token, undoing[kind]),
  })
}

/** Sent to a user whose account will be deleted. */
export const leavingMail = (to: string, name: string, publicUrl: string, token: string): Mail =>
  renderMail(to, name, {
    subject: 'Your Lectern account will be deleted',
    paragraphs: [
      'Your Lectern account will be deleted in 7 days, as you asked. Until then you can log in and keep it.',
    ],
    ...notMe(publicUrl, token, 'keeps the account, logs out every device'),
    links: [{ label: 'Changed your mind? Log in and keep your account', link: `${publicUrl}/login` }],
  })

/** Ends every security alert. @param does what the link does besides resetting the password. */
const notMe = (
  publicUrl: string,
  token: string,
  does = 'logs out every device',
): Pick<MailContent, 'action' | 'smallPrint'> => ({
  action: {
    label: 'This was not me',
    link: `${publicUrl}/not-me?token=${encodeURIComponent(token)}`,
    explained: `It opens a page of Lectern. One more click there ${does}, removes all passkeys, makes the password void and lets you choose a new one. The link works for 7 days.`,
  },
  smallPrint: ['It was you? Then there is nothing to do.'],
})

/** A course with the number of its new notes and a link to them. */
export type CourseNews = { course: string; notes: number; link: string }

/**
 * Sent to a student who asked for it: the new notes of followed courses, one row per course. It contains neither titles
 * nor authors, because a user could choose them to place text in a mail of ours.
 */
export function courseNewsMail(
  to: string,
  name: string,
  publicUrl: string,
  { news, frequency, unsubscribeLink }: { news: CourseNews[]; frequency: 'daily' | 'weekly'; unsubscribeLink: string },
): Mail {
  const mail = renderMail(to, name, {
    subject: 'New notes in your courses',
    paragraphs: ['This is new in the courses you follow:'],
    entries: news.map(({ course, notes, link }) => ({
      label: course,
      detail: notes === 1 ? '1 new note' : `${notes} new notes`,
      link,
    })),
    action: {
      label: 'See your courses',
      link: `${publicUrl}/courses`,
      explained: 'It opens your courses, where you also choose how often they write.',
    },
    links: [{ label: 'No more of these mails', link: unsubscribeLink }],
    smallPrint: [
      `You get this mail at most once a ${frequency === 'daily' ? 'day' : 'week'}, because you asked for it.`,
    ],
  })
  return { ...mail, unsubscribeLink }
}

type Decided = { kind: DecisionKind; rule: Rule; reason: string }

const noteSubjects: Record<DecisionKind, string> = {
  keep: 'A note of yours stays as it is',
  correct: 'A note of yours was put right',
  hide: 'A note of yours was hidden',
  restore: 'A note of yours is back',
  uphold: 'A note of yours stays hidden',
}

const noteOutcomes: Record<DecisionKind, (title: string) => string> = {
  keep: (title) => `The moderators have read what you answered about “${title}”. It stays as it is.`,
  correct: (title) => `The moderators have corrected the course, year or instructor of “${title}”.`,
  hide: (title) =>
    `The moderators have hidden “${title}”. Nobody but you and the moderators finds or opens it now. It keeps its likes, and you can object once.`,
  restore: (title) => `“${title}” is there for everybody again, with all the likes it had.`,
  uphold: (title) => `The moderators have read your objection. “${title}” stays hidden.`,
}

/** Sent to the author of a note that moderators decided on. */
export const noteDecidedMail = (
  to: string,
  name: string,
  publicUrl: string,
  title: string,
  { kind, rule, reason }: Decided,
): Mail =>
  renderMail(to, name, {
    subject: noteSubjects[kind],
    paragraphs: [noteOutcomes[kind](title), `The rule: ${ruleNames[rule]}. The reason:`, { quote: reason }],
    action: {
      label: 'See it in My Notes',
      link: `${publicUrl}/my-notes`,
      explained: 'It opens your notes. You have to be logged in.',
    },
    smallPrint: [unknownToModerators],
  })

/** Sent to the author of a reported note before a decision. */
export const moderatorsAskMail = (to: string, name: string, publicUrl: string, title: string, question: string): Mail =>
  renderMail(to, name, {
    subject: 'The moderators ask about a note of yours',
    paragraphs: [
      `Before they decide about “${title}”, the moderators would like to know:`,
      { quote: question },
      `They wait ${answerDays} days for your answer.`,
    ],
    action: {
      label: 'Answer in My Notes',
      link: `${publicUrl}/my-notes`,
      explained: 'It opens your notes. You have to be logged in.',
    },
    smallPrint: [unknownToModerators],
  })

const unknownToModerators =
  'If you shared it anonymously, the moderators do not know that it is yours. This mail was sent by Lectern itself.'

/** `noteId` is the note that the claimant named, where it is known. */
type Claimant = { email: string; name: string; noteId: string | null }
const claimOutcomes: Partial<Record<DecisionKind, string>> = {
  keep: 'The moderators have read what you wrote. The note stays.',
  correct: 'The moderators have read what you wrote. The note stays, with its course put right.',
  hide: 'The moderators have read what you wrote. The note is hidden: nobody but its author and the moderators finds or opens it now.',
}

/** Sent to a person without an account who claimed a note. @param decided null when its author has deleted the note. */
export const claimDecidedMail = (
  { email: to, name, noteId }: Claimant,
  publicUrl: string,
  decided: Decided | null,
): Mail =>
  renderMail(to, name, {
    subject: 'What became of the note you wrote about',
    paragraphs: [
      ...(noteId === null ? [] : [`You wrote about the note ${noteId}.`]),
      ...(decided
        ? [
            claimOutcomes[decided.kind] ?? 'The moderators have read what you wrote.',
            `The rule: ${ruleNames[decided.rule]}. The reason:`,
            { quote: decided.reason },
          ]
        : ['That note is not there any more.']),
    ],
    action: {
      label: 'Read the rules of the house',
      link: `${publicUrl}/rules`,
      explained: 'It opens the rules. You need no account.',
    },
    smallPrint: ['Who shared the note is told to nobody. Your name and address are deleted 30 days from now.'],
  })

/** `title` is the note that caused the suspension, if any. */
type Suspended = { until: string; reason: string; title: string | null }

/** Sent to a user whom an admin has suspended. */
export const suspendedMail = (to: string, name: string, publicUrl: string, { until, reason, title }: Suspended): Mail =>
  renderMail(to, name, {
    subject: 'Your Lectern account is suspended',
    paragraphs: [
      `Your account is suspended ${until}${title === null ? '' : ` because of the note “${title}”`}. You are logged out everywhere. Until then you can log in only to take your notes along, or to leave.`,
      'The reason:',
      { quote: reason },
    ],
    action: {
      label: 'Read the rules of the house',
      link: `${publicUrl}/rules`,
      explained: 'It opens the rules. You need not be logged in.',
    },
    smallPrint: [
      ...(title === null ? [] : [toldToNobody]),
      'You think that this is wrong? Write to whoever runs this Lectern: the front page says who that is.',
    ],
  })

export const suspensionLiftedMail = (to: string, name: string, publicUrl: string): Mail =>
  renderMail(to, name, {
    subject: 'Your Lectern account is open again',
    paragraphs: ['Your account is no longer suspended. Everything is as it was.'],
    action: { label: 'Log in', link: `${publicUrl}/login`, explained: 'It opens the page where you log in.' },
    smallPrint: [],
  })

const toldToNobody =
  'If you shared the note anonymously, nobody was told that it is yours. This mail was sent by Lectern itself.'
