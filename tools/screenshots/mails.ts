import type { Mail } from '../../server/mail/mailer.ts'
import { accountExistsMail } from '../../server/mail/templates/account-exists.ts'
import { accountLeftMail } from '../../server/mail/templates/account-left.ts'
import { claimDecidedMail } from '../../server/mail/templates/claim.ts'
import { confirmEmailMail } from '../../server/mail/templates/confirm-email.ts'
import { courseNewsMail } from '../../server/mail/templates/course-news.ts'
import { emailChangedMail } from '../../server/mail/templates/email-changed.ts'
import { emailTakenMail } from '../../server/mail/templates/email-taken.ts'
import { exportReadyMail } from '../../server/mail/templates/export-ready.ts'
import { invitationLetter } from '../../server/mail/templates/invitation.ts'
import { leavingMail } from '../../server/mail/templates/leaving.ts'
import { moderatorsAskMail, noteDecidedMail } from '../../server/mail/templates/moderation.ts'
import { newDeviceMail } from '../../server/mail/templates/new-device.ts'
import { noAccountMail } from '../../server/mail/templates/no-account.ts'
import { passwordChangedMail } from '../../server/mail/templates/password-changed.ts'
import { passwordResetMail } from '../../server/mail/templates/password-reset.ts'
import { suspendedMail } from '../../server/mail/templates/suspension.ts'
import { verificationMail } from '../../server/mail/templates/verification.ts'
import { waysInChangedMail } from '../../server/mail/templates/ways-in-changed.ts'

const publicUrl = 'https://notes.example.org'
const to = 'ana@uni.example'
const name = 'Ana Petrova'
const token = 'x5-_'.repeat(11)
const at = new Date('2026-11-21T09:30:00Z')

/** Every mail there is, by the name of its picture. */
export const mails: Record<string, Mail> = {
  'mail-verification': verificationMail(to, name, publicUrl, token),
  'mail-suspended': suspendedMail(to, name, publicUrl, {
    until: 'until 3 May 2027 (UTC)',
    reason: 'Sold exams.',
    title: null,
  }),
  'mail-invitation': invitationLetter(to, publicUrl, token),
  'mail-claim': claimDecidedMail({ email: to, name, noteId: '4f2c3c1e-7a53-4c59-9a4b-52d5c8a3c2f1' }, publicUrl, {
    kind: 'hide',
    rule: 'copyright',
    reason: 'It is chapter 3 of a book.',
  }),
  'mail-account-exists': accountExistsMail(to, name, publicUrl),
  'mail-password-reset': passwordResetMail(to, name, publicUrl, token),
  'mail-no-account': noAccountMail(to, publicUrl),
  'mail-password-changed': passwordChangedMail(to, name, publicUrl, token),
  'mail-email-changed': emailChangedMail(to, name, publicUrl, token),
  'mail-new-device': newDeviceMail(to, name, publicUrl, token, { device: 'Firefox on Linux', at }),
  'mail-passkey-added': waysInChangedMail(to, name, publicUrl, token, {
    kind: 'passkey-added',
    device: 'Firefox on Linux',
    at,
  }),
  'mail-leaving': leavingMail(to, name, publicUrl, token),
  'mail-confirm-email': confirmEmailMail(to, name, publicUrl, token),
  'mail-email-taken': emailTakenMail(to, name, publicUrl),
  'mail-export-ready': exportReadyMail(to, name, publicUrl, at),
  'mail-account-left': accountLeftMail(to, publicUrl, true),
  'mail-note-hidden': noteDecidedMail(to, name, publicUrl, 'Old exams', {
    kind: 'hide',
    rule: 'exam',
    reason: 'It is still written, says the institute.',
  }),
  'mail-moderators-ask': moderatorsAskMail(to, name, publicUrl, 'Old exams', 'Which year is it from?'),
  'mail-course-news': courseNewsMail(to, name, publicUrl, {
    news: [
      { course: 'CSC148 Introduction to Computer Science', notes: 5, link: `${publicUrl}/courses/CSC148` },
      { course: 'MAT137', notes: 1, link: `${publicUrl}/courses/MAT137` },
    ],
    frequency: 'weekly',
    unsubscribeLink: `${publicUrl}/unsubscribe?token=${token}`,
  }),
}
