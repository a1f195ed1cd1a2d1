import type { Config } from '../../config.ts'
import type { Mail, Mailer } from './mailer.ts'
import { footerHtml, footerPlace, type MailContent, type Quote, renderMailHtml } from './render-html.ts'

/** @param name the untrusted name of the recipient; null for a recipient without an account. */
export function renderMail(to: string, name: string | null, letter: MailContent): Mail {
  const { action, entries = [], links = [], subject } = letter
  const greeting = greet(name)
  const link = [action, ...entries, ...links].find((one) => one !== undefined)?.link
  return {
    to,
    subject,
    text: letterText(letter, greeting),
    html: renderMailHtml(letter, greeting),
    ...(link === undefined ? {} : { link }),
  }
}

function letterText(
  { paragraphs, entries = [], action, links = [], smallPrint }: MailContent,
  greeting: string,
): string {
  return [
    greeting,
    ...paragraphs.map((one) => (typeof one === 'string' ? one : quoteLines(one))),
    ...entries.map(({ label, detail, link }) => `${label}\n${detail}\n${link}`),
    ...(action ? [`${action.label}:\n${action.link}`, action.explained] : []),
    ...links.map(({ label, link }) => `${label}:\n${link}`),
    ...smallPrint,
    'Happy studying,\nLectern',
    '',
  ].join('\n\n')
}

const quoteLines = ({ quote }: Quote) => quote.replace(/^/gm, '> ')

type Site = Pick<Config, 'operatorLinks'> & { publicUrl: string }

/** Ends every mail with the links of the pages' footer (`web/platform/layout/SiteLinks.tsx`). */
export function withMailFooter<M extends Mailer>(mailer: M, { publicUrl, operatorLinks }: Site): M {
  const links = [
    { label: 'Guidelines', link: `${publicUrl}/rules` },
    { label: 'Moderation log', link: `${publicUrl}/decisions` },
    { label: 'What “anonymous” means', link: `${publicUrl}/anonymity` },
    ...operatorLinks.map(({ name, address }) => ({ label: name, link: address })),
  ]
  const text = links.map(({ label, link }) => `${label}: ${link}\n`).join('')
  const html = footerHtml(links)
  return {
    ...mailer,
    send: (mail) => mailer.send({ ...mail, text: mail.text + text, html: mail.html.replace(footerPlace, () => html) }),
  }
}

/** Greets by the first name, as the pages do (SPEC.md section 1). */
function greet(name: string | null): string {
  const first = name === null ? undefined : toSafeDisplayName(name)?.split(' ')[0]
  return first === undefined ? 'Hello,' : `Hello ${first.replace(/,$/, '')},`
}

/**
 * Returns the name if it is safe in a mail, or null. Anyone can register a stranger's address under any name, and mail
 * programs turn text that looks like an address into a link (THREATS.md C7), so such a name is omitted.
 */
export function toSafeDisplayName(name: string): string | null {
  const shown = name.normalize('NFKC').replace(/\s+/gu, ' ').trim()
  const plain = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .,()'’·-]*$/u.test(shown)
  // "evil.example" and "10.0.0.1" become links, "J.R. Smith" does not; a row of digits becomes a telephone link.
  const looksLikeAddress = /\.(\p{N}|[\p{L}\p{M}]{2})/u.test(shown) || /^www\b/iu.test(shown)
  const looksLikeNumber = (shown.match(/\p{N}/gu) ?? []).length > 4
  return plain && !looksLikeAddress && !looksLikeNumber && shown.length <= 60 ? shown : null
}
