import type { Log } from '../observability/log.ts'
import { composeMessage, type Mailer } from './mailer.ts'

/** Servers that only serve pages send none. */
const load = () => import('nodemailer')

export type SmtpOptions = {
  /** `smtp://` or `smtps://`. Query parameters set nodemailer's options, such as `?requireTLS=false`. */
  url: string
  from: string
  log: Log
  /** For tests; the defaults suit slow servers and are well below the time a job has. */
  timeoutsMs?: Partial<typeof defaultTimeoutsMs>
}

const defaultTimeoutsMs = {
  /** Name lookup and connection. */
  connection: 10_000,
  /** From the connection to the server's greeting, and for the change to TLS. */
  greeting: 10_000,
  /** Silence in between. */
  socket: 20_000,
  /** The whole mail, since a server that sends a byte now and then is never silent. */
  whole: 35_000,
}

const transportOptions = (url: string, timeouts: typeof defaultTimeoutsMs) => ({
  url: withoutLocalName(url),
  connectionTimeout: timeouts.connection,
  dnsTimeout: timeouts.connection,
  greetingTimeout: timeouts.greeting,
  socketTimeout: timeouts.socket,
  socketCloseTimeout: 1_000,
  // A password goes over the network only inside TLS, unless the address asks for it in so many words.
  requireTLS: hasCredentials(url) && !isLoopback(url),
  // Debian's mail servers come with a certificate that they signed themselves; nobody stands between us and this machine.
  tls: { rejectUnauthorized: !isLoopback(url) },
})

/** Connects and logs in, and sends nothing. @throws what is in the way. */
export async function verifySmtp(url: string): Promise<void> {
  const { createTransport } = await load()
  const transport = createTransport(transportOptions(url, defaultTimeoutsMs))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** Sends through a mail server over up to 4 connections, which are kept for the mails that follow. */
export function createSmtpMailer({ url, from, log, timeoutsMs }: SmtpOptions): Mailer {
  const timeouts = { ...defaultTimeoutsMs, ...timeoutsMs }
  let opened: ReturnType<typeof open> | null = null
  function open({ createTransport }: Awaited<ReturnType<typeof load>>) {
    const transport = createTransport({
      ...transportOptions(url, timeouts),
      pool: true,
      maxConnections: 4,
      // A kept connection may have gone away; a second try finds out. Beyond that the caller tries again later.
      maxRequeues: 1,
      idleTimeout: 30_000,
    })
    // A connection of the pool that breaks fails its mail; nothing more has to happen here.
    transport.on('error', (error) => log.warn({ err: error }, 'A connection to the mail server broke'))
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
      // Neither recipient nor link: logs are kept longer than either should be.
      log.info({ messageId: info.messageId }, 'Mail handed to the mail server')
    },
    async close() {
      // Whoever closes has waited for the mails under way; what is left hangs on a server that does not answer.
      opened?.close({ force: true })
    },
  }
}

/** nodemailer would ask the DNS for `localhost`, which may know another one than this machine. */
function withoutLocalName(text: string): string {
  const url = new URL(text)
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1'
  return url.href
}

const hasCredentials = (url: string) => new URL(url).username !== ''
const isLoopback = (url: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
