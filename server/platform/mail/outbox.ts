import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../observability/log.ts'
import { composeMessage, type Mailer } from './mailer.ts'

export type OutboxMail = {
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
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, join(dir, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
