import type { SendMailOptions } from 'nodemailer'
import type { Log } from '../observability/log.ts'

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

/** Loaded on demand, because servers that only serve pages send no mail. */
const load = () => import('nodemailer')

export type SmtpOptions = {
  /** `smtp://` or `smtps://`. Query parameters set nodemailer's options, such as `?requireTLS=false`. */
  url: string
  from: string
  log: Log
  /** For tests. The defaults suit slow servers and are well below the timeout of a job. */
  timeoutsMs?: Partial<typeof defaultTimeoutsMs>
}

const defaultTimeoutsMs = {
  /** For the name lookup and the connection. */
  connection: 10_000,
  /** For the server's greeting after the connection, and for the upgrade to TLS. */
  greeting: 10_000,
  /** For silence during the dialogue. */
  socket: 20_000,
  /** For the whole mail, because a server that sends a byte now and then is never silent. */
  whole: 35_000,
}

const transportOptions = (url: string, timeouts: typeof defaultTimeoutsMs) => ({
  url: withoutLocalName(url),
  connectionTimeout: timeouts.connection,
  dnsTimeout: timeouts.connection,
  greetingTimeout: timeouts.greeting,
  socketTimeout: timeouts.socket,
  socketCloseTimeout: 1_000,
  // A password is sent over the network only inside TLS, unless the URL explicitly disables that.
  requireTLS: hasCredentials(url) && !isLoopback(url),
  // Debian's mail servers have self-signed certificates, and a connection within this machine cannot be intercepted.
  tls: { rejectUnauthorized: !isLoopback(url) },
})

/** Connects and logs in without sending a mail. @throws the connection or login error. */
export async function verifySmtp(url: string): Promise<void> {
  const { createTransport } = await load()
  const transport = createTransport(transportOptions(url, defaultTimeoutsMs))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** Sends through a mail server over up to 4 connections, which are reused for later mails. */
export function createSmtpMailer({ url, from, log, timeoutsMs }: SmtpOptions): Mailer {
  const timeouts = { ...defaultTimeoutsMs, ...timeoutsMs }
  let opened: ReturnType<typeof open> | null = null
  function open({ createTransport }: Awaited<ReturnType<typeof load>>) {
    const transport = createTransport({
      ...transportOptions(url, timeouts),
      pool: true,
      maxConnections: 4,
      // A pooled connection may be closed, so a mail is tried a second time. After that the caller retries later.
      maxRequeues: 1,
      idleTimeout: 30_000,
    })
    // A broken connection of the pool rejects its mail, so this only logs it.
    transport.on('error', (error) => log.warn({ err: error }, 'Lost a connection to the mail server'))
    return transport
  }

  return {
    async send(mail) {
      const message = composeMessage(mail, from)
      const nodemailer = await load()
      opened ??= open(nodemailer)
      const signal = AbortSignal.timeout(timeouts.whole)
      const info = await opened.sendMail({ ...message, signal }).catch((error) => {
        if (!signal.aborted) throw error
        throw new Error(`The mail server took longer than ${timeouts.whole / 1_000} s`, { cause: error })
      })
      // The log omits recipient and link, because it is kept longer than either should be.
      log.info({ messageId: info.messageId }, 'The mail server accepted an email')
    },
    async close() {
      // The caller has waited for mails in progress; the rest waits for a server that does not answer.
      opened?.close({ force: true })
    },
  }
}

/** nodemailer would look up `localhost` in the DNS, which may return another machine. */
function withoutLocalName(text: string): string {
  const url = new URL(text)
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1'
  return url.href
}

const hasCredentials = (url: string) => new URL(url).username !== ''
const isLoopback = (url: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
