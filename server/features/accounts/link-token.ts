import { createHmac } from 'node:crypto'
import { deriveSecret } from '../../platform/db/secret.ts'

/**
 * The secret of the link in a job's mail, 32 bytes in base64url. A job that runs again, because the mail server's answer
 * got lost, mails the very same link: either mail works, and a mailbox may take them for one.
 * @param id of the job, or of what several of them mail.
 */
export const deriveLinkToken = (secret: string, id: string) =>
  createHmac('sha256', deriveSecret(secret, 'link')).update(id).digest('base64url')
