import type { Log } from '../observability/log.ts'
import { composeMessage, type Mailer } from './mailer.ts'

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
