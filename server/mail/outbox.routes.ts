import { createHash } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from './html.ts'
import type { Outbox, OutboxMail } from './outbox.ts'

/**
 * GET /dev/outbox: the kept mails, newest first, each as text and as a mail program shows it; with `?to=` those to one
 * address. For trying Lectern out; registered only where `mayShowOutbox`, and answered to the machine itself alone:
 * whoever reads it can follow everybody's reset links.
 */
export const outboxRoutes: FastifyPluginAsync<{ outbox: Outbox }> = async (app, { outbox }) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(guardHeaders)
    if (!isFromThisMachine(request)) {
      return refuse(reply, 404, 'The outbox is only shown on the machine that Lectern runs on.')
    }
    if (!isOwnHost(request.hostname)) return refuse(reply, 403, 'The outbox is only shown at the address of Lectern.')
  })

  app.get<{ Querystring: { to?: unknown } }>(
    '/dev/outbox',
    { config: { public: true }, schema: { hide: true } },
    async ({ query: { to } }, reply) => {
      const mails = await outbox.list(typeof to === 'string' ? to : undefined)
      return reply.type('text/html; charset=utf-8').send(renderPage(mails))
    },
  )

  // A document of its own: one within the page would have the page's rules, which allow no look but the page's.
  app.get<{ Params: { id: string } }>(
    '/dev/outbox/:id',
    { config: { public: true }, schema: { hide: true } },
    async ({ params }, reply) => {
      const mail = await outbox.findMail(params.id)
      if (mail === null) return refuse(reply, 404, 'There is no such mail.')
      reply.headers(mailHeaders)
      return reply.type('text/html; charset=utf-8').send(withLinksOutside(mail.html))
    },
  )
}

const refuse = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).type('text/plain; charset=utf-8').send(text)

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** What a proxy adds to what it passes on. Behind one, a request from this machine cannot be told from another's. */
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** By the peer of the connection: Host and X-Forwarded-For say what the sender wants. */
function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  if (proxyHeaders.some((name) => name in headers)) return false
  return isLoopback(raw.socket.remoteAddress ?? '')
}

const isLoopback = (address: string) =>
  isIP(address) !== 0 && loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Where people come to a public address there is a proxy, and one that adds no headers makes everybody look like the
 * machine itself.
 */
export function mayShowOutbox(publicUrl: string): boolean {
  const host = withoutBrackets(new URL(publicUrl).hostname)
  return host === 'localhost' || isLoopback(host)
}

/** Another name could be a stranger's, made to point here so that the stranger's page may read the answer. */
function isOwnHost(host: string): boolean {
  const name = withoutBrackets(host)
  return name === 'localhost' || isIP(name) !== 0
}

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '')

const style = `
:root { color-scheme: light dark; --paper: #f5f1e7; --sheet: #fefdfa; --ink: #192445; --soft: #454f69; --line: #dfd8cb; --link: #192445 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0d121e; --sheet: #19202e; --ink: #f0ebde; --soft: #c4bdae; --line: #31394a; --link: #f0ebde }
}
* { box-sizing: border-box }
body { margin: 0; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
main { max-width: 72rem; margin: 0 auto }
h1 { margin: 0; font-size: 1.6rem }
h2 { margin: 0; font-size: 1.1rem; overflow-wrap: anywhere }
a { color: var(--link) }
.intro, .meta { color: var(--soft) }
.meta { margin: .15rem 0 .9rem; font-size: .9rem; overflow-wrap: anywhere }
article { margin-top: 1.25rem; padding: 1.1rem 1.3rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .6rem }
pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere }
.mail { display: grid; gap: 1.25rem }
@media (width >= 60rem) { .mail { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) } }
iframe { width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: .4rem; resize: vertical }
`

const styleHash = createHash('sha256').update(style).digest('base64')

const guardHeaders = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** For a mail by itself: what it looks like stands within it; it runs nothing, loads nothing, and only this page frames it. */
const mailHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  'x-frame-options': 'SAMEORIGIN',
}

/** Its links open a tab of their own, outside of the frame. */
const withLinksOutside = (html: string) => html.replace('<head>', '<head><base target="_blank">')

function renderPage(mails: OutboxMail[]): string {
  const intro =
    mails.length === 0
      ? 'No mail yet. Register or ask for a password reset, and it shows up here.'
      : 'Without SMTP_URL mails are kept here instead of being sent. Newest first.'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Outbox – Lectern</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Outbox</h1>
<p class="intro">${intro}</p>
${mails.map(renderMail).join('\n')}
</main>
</body>
</html>
`
}

function renderMail({ id, subject, to, sentAt, text }: OutboxMail): string {
  const time = sentAt.toISOString()
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p class="meta">To ${escapeHtml(to)} · <time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time></p>
<div class="mail">
<iframe src="/dev/outbox/${encodeURIComponent(id)}" title="${escapeHtml(subject)}, as a mail program shows it" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy"></iframe>
<pre>${linkAddresses(text)}</pre>
</div>
</article>`
}

/** Escapes the text and makes its web addresses clickable. */
function linkAddresses(text: string): string {
  const parts = text.split(/(https?:\/\/[^\s<>"']+)/)
  return parts
    .map((part, index) => {
      const safe = escapeHtml(part)
      return index % 2 === 1 ? `<a href="${safe}" rel="noreferrer">${safe}</a>` : safe
    })
    .join('')
}
