import type { Config } from '../../config.ts'
import type { Mail, Mailer } from './mailer.ts'

/** `name` is untrusted; null for a recipient without an account. */
type Recipient = { email: string; name: string | null }
export type AddressedMail = MailContent & { to: Recipient }

/** @param publicUrl the site of the links. */
export function renderMail({ to, ...content }: AddressedMail, publicUrl: string): Mail {
  const inFull = <L extends Link>(one: L): L => ({ ...one, link: `${publicUrl}${one.link}` })
  const { subject, action, entries = [], links = [], unsubscribeLink } = content
  const letter = {
    ...content,
    ...(action && { action: inFull(action) }),
    entries: entries.map(inFull),
    links: links.map(inFull),
  }
  const greeting = greet(to.name)
  const link = [letter.action, ...letter.entries, ...letter.links].find((one) => one !== undefined)?.link
  return {
    to: to.email,
    subject,
    text: letterText(letter, greeting),
    html: renderMailHtml(letter, greeting),
    ...(link === undefined ? {} : { link }),
    ...(unsubscribeLink && { unsubscribeLink: `${publicUrl}${unsubscribeLink}` }),
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

/** Text of a user, set apart so that it cannot pass for Lectern's own words. */
type Quote = { quote: string }
type Link = { label: string; link: string }

/**
 * The content of a mail as plain text. Both parts are rendered from it, so that they cannot differ. Its links are paths
 * of Lectern.
 */
export type MailContent = {
  subject: string
  paragraphs: (string | Quote)[]
  /** Items such as notes, each a link with a detail below it. */
  entries?: (Link & { detail: string })[]
  /** The main link. `explained` says how long it works and what it needs. */
  action?: Link & { explained: string }
  /** Further links to Lectern, each with its purpose. */
  links?: Link[]
  /** Smaller text at the end: what to do about an unexpected mail, or why it came. */
  smallPrint: string[]
  /** For optional mails; see `Mail`. */
  unsubscribeLink?: string
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Makes text safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/*
 * Mail programs support little CSS, and each a different part: tables hold the layout, every element has inline styles,
 * and the style sheet, which some programs remove, only adds the dark theme. The colours are those of web/styles.css;
 * no image and no font is loaded from elsewhere, so that opening a mail sends no request.
 */
const light = {
  desk: '#f5f1e7',
  sheet: '#fefdfa',
  ink: '#192445',
  soft: '#454f69',
  line: '#dfd8cb',
  marigold: '#ffb622',
  onMarigold: '#151f3f',
}

const dark = { desk: '#0d121e', sheet: '#19202e', ink: '#f0ebde', soft: '#c4bdae', line: '#31394a' }

const styles = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
.desk { background-color: ${dark.desk} !important }
.sheet { background-color: ${dark.sheet} !important; border-color: ${dark.line} !important; border-top-color: ${light.marigold} !important }
.ink { color: ${dark.ink} !important }
.soft { color: ${dark.soft} !important }
.line { border-color: ${dark.line} !important }
.mark { background-color: ${dark.ink} !important }
}
`

const sans = "font-family:Figtree,'Segoe UI',Helvetica,Arial,sans-serif"
const serif = "font-family:'Brygada 1918',Georgia,'Times New Roman',serif"
const text = `${sans};font-size:16px;line-height:1.55;color:${light.ink}`
const small = `${sans};font-size:14px;line-height:1.5;color:${light.soft}`
const linkStyle = `color:${light.ink};text-decoration:underline;word-break:break-word`

function renderMailHtml(letter: MailContent, greeting: string): string {
  const { subject, paragraphs, entries = [], action, links = [], smallPrint } = letter
  const rows = [
    ...[greeting, ...paragraphs].map((one) => (typeof one === 'string' ? paragraph(escapeHtml(one)) : quotation(one))),
    ...entries.map(entryRow),
    ...(action ? [button(action), smallLine(escapeHtml(action.explained)), addressLine(action.link)] : []),
    ...links.map(({ label, link }) => smallLine(`${escapeHtml(label)}:<br>${anchor(link, link)}`)),
    paragraph('Happy studying,<br>Lectern', '8px 0 0'),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${styles}</style>
</head>
<body class="desk" style="margin:0;padding:0;background-color:${light.desk}">
${table('width="100%" class="desk"', `background-color:${light.desk}`)}<tr><td align="center" style="padding:28px 12px">
${table('width="560"', 'width:100%;max-width:560px;text-align:left')}
<tr><td style="padding:0 4px 16px">${brand}</td></tr>
<tr><td class="sheet" style="padding:28px 24px;background-color:${light.sheet};border:1px solid ${light.line};border-top:4px solid ${light.marigold};border-radius:4px">
${rows.join('\n')}
</td></tr>
${smallPrint.map((line) => `<tr><td class="soft" style="padding:14px 4px 0;${small}">${escapeHtml(line)}</td></tr>`).join('\n')}
${footerPlace}
</table>
</td></tr></table>
</body>
</html>
`
}

/** Where `withMailFooter` puts its links. Texts of users cannot contain it, because they are escaped. */
const footerPlace = '<!-- footer -->'

const footerHtml = (links: Link[]) =>
  `<tr><td class="soft" style="padding:20px 4px 0;${small}">${links.map(({ label, link }) => anchor(link, label)).join(' &nbsp; ')}</td></tr>`

const table = (attributes: string, style: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes} style="${style}">`

/** The logo of web/app/NavigationBar.tsx as coloured cells: two pages, the right one highlighted, on their desk. */
const page = (attributes: string, colour: string, radius: string) =>
  `<td width="14" height="16"${attributes} style="width:14px;height:16px;line-height:16px;font-size:0;background-color:${colour};border-radius:${radius}">&nbsp;</td>`

const brand = `${table('aria-hidden="true"', 'display:inline-table;vertical-align:middle')}<tr>
${page(' class="mark"', light.ink, '5px 1px 3px 1px')}<td width="2" style="width:2px;font-size:0">&nbsp;</td>${page('', light.marigold, '1px 5px 1px 3px')}
</tr><tr><td colspan="3" height="3" style="height:3px;line-height:3px;font-size:0">&nbsp;</td></tr>
<tr><td colspan="3" height="3" class="mark" style="height:3px;line-height:3px;font-size:0;background-color:${light.ink};border-radius:2px">&nbsp;</td></tr></table>
<span class="ink" style="padding-left:8px;vertical-align:middle;${serif};font-size:24px;font-weight:bold;color:${light.ink}">Lectern</span>`

const paragraph = (html: string, margin = '0 0 16px') => `<p class="ink" style="margin:${margin};${text}">${html}</p>`

const quotation = ({ quote }: Quote) =>
  `<blockquote class="ink line" style="margin:0 0 16px;padding:0 0 0 14px;border-left:3px solid ${light.line};${text}">${escapeHtml(quote).replaceAll('\n', '<br>')}</blockquote>`

const smallLine = (html: string) => `<p class="soft" style="margin:0 0 12px;${small}">${html}</p>`

const anchor = (link: string, label: string) =>
  `<a href="${escapeHtml(link)}" class="ink" style="${linkStyle}">${escapeHtml(label)}</a>`

const addressLine = (link: string) =>
  smallLine(`If the button doesn’t work, copy this link into your browser:<br>${anchor(link, link)}`)

const button = ({ label, link }: { label: string; link: string }) =>
  `${table('', 'margin:24px 0 16px')}<tr><td style="background-color:${light.marigold};border-radius:8px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:13px 24px;${sans};font-size:16px;line-height:22px;font-weight:bold;color:${light.onMarigold};text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`

const entryRow = ({ label, detail, link }: { label: string; detail: string; link: string }) =>
  `${table('width="100%" class="line"', `border-top:1px solid ${light.line}`)}<tr><td style="padding:12px 0"><a href="${escapeHtml(link)}" class="ink" style="${serif};font-size:18px;line-height:1.3;font-weight:bold;${linkStyle}">${escapeHtml(label)}</a><br><span class="soft" style="${small}">${escapeHtml(detail)}</span></td></tr></table>`
