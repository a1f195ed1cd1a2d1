import { deriveLinkToken, hashToken } from '../../platform/db/secret.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { defineMailHandler } from '../../platform/mail/deliver.ts'
import { invitationMail, problemMail } from '../../platform/mail/emails.ts'
import { findUser } from '../accounts/users/users.ts'
import { checkProblems, problemMailJob } from './attention/attention.ts'
import { invitationMailJob, saveToken } from './invitations/invitations.ts'

export const administrationJobs = [
  // The link is created here, so that the queue never contains a token; it is the same when sent again.
  defineMailHandler(invitationMailJob, async ({ db, config, secret }, { invitationId }) => {
    const token = deriveLinkToken(secret, invitationId)
    const email = await saveToken(db, invitationId, hashToken(token))
    return email === null ? null : invitationMail(email, config.publicUrl, token)
  }),
  defineMailHandler(problemMailJob, async ({ db, config }, { userId, text, isResolved }) => {
    const admin = userId === undefined ? null : await findUser(db, { id: userId })
    const to = userId === undefined ? config.operatorEmail : admin?.email
    return to ? problemMail(to, admin?.name ?? null, config.publicUrl, { text, isOver: isResolved }) : null
  }),
  defineSchedule('check-problems', '*/5 * * * *', checkProblems),
]
