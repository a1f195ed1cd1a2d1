import { deriveLinkToken, hashToken } from '../../platform/db/secret.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { defineMailHandler } from '../../platform/mail/deliver.ts'
import { invitationMail, problemMail } from '../../platform/mail/emails.ts'
import { findUser } from '../accounts/users/users.ts'
import { checkProblems, problemMailJob } from './attention/attention.ts'
import { invitationMailJob, saveToken } from './invitations/invitations.ts'

export const administrationJobs = [
  // The link is created here, so that the queue never contains a token; it is the same when sent again.
  defineMailHandler(invitationMailJob, async ({ db, secret }, { invitationId }) => {
    const token = deriveLinkToken(secret, invitationId)
    const email = await saveToken(db, invitationId, hashToken(token))
    return email === null ? null : { to: { email, name: null }, ...invitationMail(token) }
  }),
  defineMailHandler(problemMailJob, async ({ db, config }, { userId, text, isResolved }) => {
    const operator = config.operatorEmail === null ? null : { email: config.operatorEmail, name: null }
    const to = userId === undefined ? operator : await findUser(db, { id: userId })
    return to && { to, ...problemMail({ text, isOver: isResolved }) }
  }),
  defineSchedule('check-problems', '*/5 * * * *', checkProblems),
]
