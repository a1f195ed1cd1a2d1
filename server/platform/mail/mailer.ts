import type { SendMailOptions } from 'nodemailer'

/** A mail to one recipient. */
export type Mail = {
  /** A bare address such as `ana@example.org`; anything else is rejected. */
  to: string
  subject: string
  text: string
  html: string
  /** Identifies the mail, such as the id of its job, so that many mailboxes show a mail sent twice only once. */
  messageId?: string
  /** The link that the reader should open. The outbox prints it in the terminal; it is sent only in the text. */
  link?: string
  /** For optional mails: a POST to this link ends them (RFC 8058). */
  unsubscribeLink?: string
}

export type Mailer = {
  /** Resolves when the mail server, or the outbox, has accepted the mail. Rejects within 40 s otherwise. */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

/** Builds the message for SMTP and the outbox: exactly one recipient, and no header but ours. */
export function composeMessage(mail: Mail, from: string): SendMailOptions {
  const to = { name: '', address: getPlainAddress(mail.to) }
  return {
    from,
    to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    ...(mail.messageId === undefined ? {} : { messageId: `<${getIdPart(mail.messageId)}@${getHost(from)}>` }),
    // Autoresponders and list software ignore such mails (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail.unsubscribeLink) },
    // A mail never includes a file or a URL read by the server.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * Returns the text if it is one bare address: no name, list, group, comment, quoting or line break, so that it cannot
 * become a second recipient or header (THREATS.md C6).
 */
function getPlainAddress(text: string): string {
  const isPlain =
    text.length <= 254 && /^[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}]+@[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}]+$/u.test(text)
  if (!isPlain) throw new Error('The recipient isn’t a single plain email address')
  return text
}

/** Mail programs show an unsubscribe button, and send the POST without opening a page. */
const unsubscribeHeaders = (link: string | undefined): Record<string, string> =>
  link === undefined ? {} : { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

function getIdPart(id: string): string {
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(id)) throw new Error('The message ID contains invalid characters')
  return id
}

const getHost = (from: string) => /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
