/** One mail to one person. */
export type Mail = {
  /** A bare address such as `ana@example.org`; anything else is refused. */
  to: string
  subject: string
  text: string
  html: string
  /** What is unique about the mail, such as the id of its job: a mail sent twice then shows once in many mailboxes. */
  messageId?: string
  /** What the reader is to open. The outbox prints it in the terminal; it is not sent besides the text. */
  link?: string
  /** For mails that one may not want: a POST to it ends them (RFC 8058). */
  unsubscribeLink?: string
}

export type Mailer = {
  /** Resolves once the mail server, or the outbox, has taken the mail over. Rejects within 40 s otherwise. */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}
