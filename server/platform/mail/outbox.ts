import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { createProxyCheck } from '../http/addresses.ts'
import type {} from '../http/auth-guard.ts'
import type { Log } from '../observability/log.ts'
import { composeMessage, type Mailer } from './mailer.ts'
import { escapeHtml } from './render-mail.ts'

type OutboxMail = {
  /** The file's name without `.eml`. */
  id: string
  to: string
  subject: string
  sentAt: Date
  text: string
  html: string
}

export type Outbox = Mailer & {
  /** Returns the newest mails first, 200 at most, and with an address only those to it. */
  list(to?: string): Promise<OutboxMail[]>
  findMail(id: string): Promise<OutboxMail | null>
}

const listLimit = 200
const idPattern = /^\d{4}-\d{2}-\d{2}T[\d-]+Z-[a-z0-9@._+-]{1,80}-[0-9a-f]{6}$/

/**
 * Keeps mails as files instead of sending them, for trying Lectern out without a mail server
 * (SMTP_URL in docs/configuration.md). The configuration refuses it in production, because anyone who reads the
 * files or the log can open the links.
 * @param options.dir created with mode 0700 when it is missing.
 */
export function createOutbox({ dir, from, log }: { dir: string; from: string; log: Log }): Outbox {
  async function findMail(id: string): Promise<OutboxMail | null> {
    if (!idPattern.test(id)) return null
    const content = await readFile(join(dir, `${id}.eml`)).catch(() => null)
    if (content === null) return null
    // The parser is loaded late, because production has no outbox.
    const { default: PostalMime } = await import('postal-mime')
    const parsed = await PostalMime.parse(content)
    return {
      id,
      to: parsed.to?.[0]?.address ?? '',
      subject: parsed.subject ?? '',
      sentAt: new Date(parsed.date ?? 0),
      text: (parsed.text ?? '').trim(),
      html: parsed.html ?? '',
    }
  }

  return {
    async send(mail) {
      const sentAt = new Date()
      const composed = composeMessage(mail, from)
      const { createTransport } = await import('nodemailer')
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      // The encoding splits a long link over two lines of the file, so this header contains it whole.
      const headers = { ...composed.headers, ...(mail.link ? { 'X-Lectern-Link': mail.link } : {}) }
      const { message } = await composer.sendMail({ ...composed, headers, date: sentAt })
      const id = createId(sentAt, mail.to)
      await mkdir(dir, { recursive: true, mode: 0o700 })
      if (!Buffer.isBuffer(message)) throw new Error('The composer returned no buffer')
      await writeWhole(dir, `${id}.eml`, message)
      log.info(`Mail to ${mail.to}: ${mail.subject}${mail.link ? `\n  ${mail.link}` : ''}`)
    },

    async list(to) {
      const names = await readdir(dir).catch(() => [])
      const ids = names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -'.eml'.length))
      const wanted = to === undefined ? ids : ids.filter((id) => id.includes(`Z-${toSafe(to)}-`))
      const newest = wanted.sort().reverse().slice(0, listLimit)
      const mails = await Promise.all(newest.map(findMail))
      return mails.filter((mail) => mail !== null)
    },

    findMail,

    async close() {},
  }
}

/**
 * Returns an id such as `2026-11-21T09-30-00-000Z-ana@example.org-1f2e3d`, which sorts by time and is valid as a file
 * name.
 */
function createId(sentAt: Date, recipient: string): string {
  const time = sentAt.toISOString().replace(/[:.]/g, '-')
  return `${time}-${toSafe(recipient)}-${randomBytes(3).toString('hex')}`
}

/** Returns the form of an address that is used in file names. */
const toSafe = (address: string) =>
  address
    .toLowerCase()
    .replace(/[^a-z0-9@._+-]/g, '_')
    .slice(0, 80)

/** Writes under another name and then renames, so that no reader sees a partial file. */
async function writeWhole(dir: string, name: string, content: Buffer): Promise<void> {
  const temporary = join(dir, `.${name}.part`)
  try {
    await writeFile(temporary, content, { flag: 'wx', mode: 0o600, flush: true })
    await rename(temporary, join(dir, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * GET /dev/outbox lists the kept mails as text, newest first, with the HTML part as a download; `?to=` filters by
 * address. It is only for trying Lectern out, and only from the same machine, because the page shows the reset links of
 * all users.
 */
export const outboxRoutes: FastifyPluginAsync<{ outbox: Outbox }> = async (app, { outbox }) => {
  const hidden = { config: { public: true }, schema: { hide: true } } as const
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(guardHeaders)
    if (!isFromThisMachine(request)) {
      return refuse(reply, 404, 'The outbox is only available on the machine Lectern runs on.')
    }
    if (!isOwnHost(request.hostname)) return refuse(reply, 403, 'The outbox is only available at localhost.')
  })

  app.get<{ Querystring: { to?: unknown } }>('/dev/outbox', hidden, async ({ query: { to } }, reply) => {
    const mails = await outbox.list(typeof to === 'string' ? to : undefined)
    return reply.type('text/html; charset=utf-8').send(renderPage(mails))
  })

  app.get<{ Params: { id: string } }>('/dev/outbox/:id', hidden, async ({ params }, reply) => {
    const mail = await outbox.findMail(params.id)
    if (mail === null) return refuse(reply, 404, 'Email not found.')
    reply.header('content-disposition', 'attachment; filename="email.html"')
    return reply.type('text/html; charset=utf-8').send(mail.html)
  })
}

const refuse = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).type('text/plain; charset=utf-8').send(text)

const isLoopback = createProxyCheck(['127.0.0.0/8', '::1'])

/** Headers that proxies add. Behind a proxy, any request seems to come from this machine. */
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** Checks the peer of the connection, because a client chooses Host and X-Forwarded-For. */
function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  if (proxyHeaders.some((name) => name in headers)) return false
  return isLoopback(raw.socket.remoteAddress)
}

/** An instance with a public address has a proxy, which may add no headers. */
export function mayShowOutbox(publicUrl: string): boolean {
  const host = withoutBrackets(new URL(publicUrl).hostname)
  return host === 'localhost' || (isIP(host) !== 0 && isLoopback(host))
}

/** DNS rebinding: a page of another site could read the outbox through a name that resolves to this machine. */
function isOwnHost(host: string): boolean {
  const name = withoutBrackets(host)
  return name === 'localhost' || isIP(name) !== 0
}

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '')

const style = `
:root { color-scheme: light dark }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
pre { font: inherit; white-space: pre-wrap }
article { border-top: 1px solid GrayText }
`
const styleHash = createHash('sha256').update(style).digest('base64')

const guardHeaders = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

const renderPage = (mails: OutboxMail[]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Outbox – Lectern</title>
<style>${style}</style>
<h1>Outbox</h1>
<p>SMTP_URL isn’t set, so emails are stored here instead of being sent. Newest first.</p>
${mails.map(renderMail).join('\n') || '<p>No emails yet. Register or request a password reset to see one here.</p>'}
</html>
`

function renderMail({ id, subject, to, sentAt, text }: OutboxMail): string {
  const time = sentAt.toISOString()
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to)} · <time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time> · <a href="/dev/outbox/${id}">HTML version</a></p>
<pre>${linkAddresses(text)}</pre>
</article>`
}

/** Escapes the text and makes its web addresses clickable. */
function linkAddresses(text: string): string {
  const link = (address: string) => `<a href="${address}" rel="noreferrer">${address}</a>`
  const parts = text.split(/(https?:\/\/[^\s<>"']+)/).map(escapeHtml)
  return parts.map((part, index) => (index % 2 === 1 ? link(part) : part)).join('')
}
