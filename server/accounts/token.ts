import { createHash, createHmac } from 'node:crypto'

/**
 * The secret of the link in a job's mail, 32 bytes in base64url. A job that runs again, because the mail server's answer
 * got lost, mails the very same link: either mail works, and a mailbox may take them for one.
 */
export const linkToken = (secret: string, jobId: string) =>
  createHmac('sha256', secret).update(`link:${jobId}`).digest('base64url')

/** What is stored of a token. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest()
