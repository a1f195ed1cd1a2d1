import { escapeHtml } from '../html.ts'
import type { Mail } from '../mailer.ts'

/** What a mail says, as plain text. The layout makes both parts of it, so that they cannot drift apart. */
export type Letter = {
  to: string
  subject: string
  /** The recipient's name from the account, untrusted; null when the recipient has no account. */
  name: string | null
  paragraphs: string[]
  button?: { label: string; link: string }
  /** After the button, and smaller. */
  smallPrint: string[]
  /** Further addresses of Lectern, each with what it is for. */
  links?: { label: string; link: string }[]
}

export function layOut(letter: Letter): Mail {
  const { button, links = [] } = letter
  return {
    to: letter.to,
    subject: letter.subject,
    text: layOutText(letter),
    html: layOutHtml(letter),
    ...((button ?? links[0]) ? { link: (button ?? links[0])?.link } : {}),
  }
}

function layOutText({ name, paragraphs, button, smallPrint, links = [] }: Letter): string {
  return [
    greet(name),
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.link}`] : []),
    ...links.map(({ label, link }) => `${label}:\n${link}`),
    ...smallPrint,
    'Happy studying,\nLectern',
    '',
  ].join('\n\n')
}

// Mail programs know little CSS: inline styles, one column, system fonts, and colours that hold when inverted.
const page = 'margin:0;padding:32px 16px;background:#f6f4ef;color:#22201c;font:16px/1.55 Georgia,serif'
const sheet = 'max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px'
const buttonStyle =
  'display:inline-block;padding:12px 22px;border-radius:6px;background:#1f4d3a;color:#ffffff;text-decoration:none;font-weight:bold'
const small = 'margin:0 0 8px;font-size:14px;color:#5c574d'
const linkStyle = 'color:#1f4d3a;word-break:break-all'

function layOutHtml({ subject, name, paragraphs, button, smallPrint, links = [] }: Letter): string {
  const anchor = (link: string, text: string, style: string) =>
    `<a href="${escapeHtml(link)}" style="${style}">${escapeHtml(text)}</a>`
  const body = [
    ...[greet(name), ...paragraphs].map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`),
    ...(button
      ? [
          `<p style="margin:24px 0">${anchor(button.link, button.label, buttonStyle)}</p>`,
          `<p style="${small}">If the button does not work, open this address:<br>${anchor(button.link, button.link, linkStyle)}</p>`,
        ]
      : []),
    ...links.map(
      ({ label, link }) => `<p style="${small}">${escapeHtml(label)}:<br>${anchor(link, link, linkStyle)}</p>`,
    ),
    ...smallPrint.map((text) => `<p style="${small}">${escapeHtml(text)}</p>`),
    `<p style="margin:24px 0 0">Happy studying,<br>Lectern</p>`,
  ]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="${page}">
<div style="${sheet}">
${body.join('\n')}
</div>
</body>
</html>
`
}

function greet(name: string | null): string {
  const shown = name === null ? null : findHarmlessName(name)
  return shown === null ? 'Hello,' : `Hello ${shown},`
}

/**
 * The name as it may stand in a mail, or null. Anyone can register a stranger's address under any name, and mail
 * programs make links of what looks like an address (THREATS.md C7): such a name is left out altogether.
 */
export function findHarmlessName(name: string): string | null {
  const shown = name.normalize('NFKC').replace(/\s+/gu, ' ').trim()
  const plain = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .,()'’·-]*$/u.test(shown)
  // "evil.example" and "10.0.0.1" become links, "J.R. Smith" does not; a row of digits becomes a telephone link.
  const looksLikeAddress = /\.(\p{N}|[\p{L}\p{M}]{2})/u.test(shown) || /^www\b/iu.test(shown)
  const looksLikeNumber = (shown.match(/\p{N}/gu) ?? []).length > 4
  return plain && !looksLikeAddress && !looksLikeNumber && shown.length <= 60 ? shown : null
}
