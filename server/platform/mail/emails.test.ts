import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import {
  accountDeletedMail,
  accountExistsMail,
  claimDecidedMail,
  confirmEmailMail,
  courseDigestMail,
  emailTakenMail,
  exportReadyMail,
  invitationMail,
  moderatorsAskMail,
  noAccountMail,
  noteDecidedMail,
  passwordResetMail,
  problemMail,
  securityAlertMail,
  suspendedMail,
  suspensionLiftedMail,
  verificationMail,
} from './emails.ts'
import { composeMessage, type Mail } from './mailer.ts'
import { renderMail, toSafeDisplayName, withMailFooter } from './render-mail.ts'

const publicUrl = 'https://notes.example.org'
const token = 'x5-_'.repeat(11)
const to = 'ana@example.org'
const claimant = { email: to, noteId: '4f2c3c1e-7a53-4c59-9a4b-52d5c8a3c2f1' }

const courseNews = {
  news: [
    { course: 'CSC148 Introduction to Computer Science', notes: 5, link: `${publicUrl}/courses/CSC148` },
    { course: 'MAT137', notes: 1, link: `${publicUrl}/courses/MAT137` },
  ],
  frequency: 'weekly',
  unsubscribeLink: `${publicUrl}/unsubscribe?token=${token}`,
} as const satisfies Parameters<typeof courseDigestMail>[3]

const login = { device: 'Firefox on Linux', createdAt: new Date('2026-11-21T09:30:00Z') }

const hiding = { kind: 'hide', rule: 'exam', reason: 'It is still written.' } as const

const suspension = { until: 'until 3 May 2027 (UTC)', reason: 'Sold exams.', title: 'Old exams' }

/** Each mail for a user with this name, and the links it may contain. */
const templates: [string, (name: string) => Mail, string[]][] = [
  ['verification', (name) => verificationMail(to, name, publicUrl, token), [`/verify?token=${token}`]],
  ['problem', (name) => problemMail(to, name, publicUrl, { text: 'The disk is full.', isOver: true }), ['/admin']],
  ['account exists', (name) => accountExistsMail(to, name, publicUrl), ['/login', '/forgot-password']],
  ['password reset', (name) => passwordResetMail(to, name, publicUrl, token), [`/reset-password?token=${token}`]],
  ['no account', () => noAccountMail(to, publicUrl), ['/register']],
  [
    'course news',
    (name) => courseDigestMail(to, name, publicUrl, courseNews),
    ['/courses', '/courses/CSC148', '/courses/MAT137', `/unsubscribe?token=${token}`],
  ],
  ['confirm email', (name) => confirmEmailMail(to, name, publicUrl, token), [`/confirm-email?token=${token}`]],
  ['email taken', (name) => emailTakenMail(to, name, publicUrl), ['/login']],
  ['account left', () => accountDeletedMail(to, publicUrl, 'remove'), ['/register']],
  ['export ready', (name) => exportReadyMail(to, name, publicUrl, login.createdAt), ['/settings#export']],
  ['note hidden', (name) => noteDecidedMail(to, name, publicUrl, 'Rings', hiding), ['/my-notes']],
  ['moderators ask', (name) => moderatorsAskMail(to, name, publicUrl, 'Rings', 'Is this yours?'), ['/my-notes']],
  ['copyright claim', (name) => claimDecidedMail({ ...claimant, name }, publicUrl, hiding), ['/rules']],
  [
    'copyright claim, note gone',
    (name) => claimDecidedMail({ ...claimant, name, noteId: null }, publicUrl, null),
    ['/rules'],
  ],
  ['suspended', (name) => suspendedMail(to, name, publicUrl, suspension), ['/rules']],
  ['suspension lifted', (name) => suspensionLiftedMail(to, name, publicUrl), ['/login']],
  ['invitation', () => invitationMail(to, publicUrl, token), [`/register?invitation=${token}`]],
  ...(
    [
      ['password-changed', []],
      ['email-changed', []],
      ['new-device', []],
      ['leaving', ['/login']],
      ['passkey-added', []],
      ['passkey-removed', []],
      ['two-factor-on', []],
      ['two-factor-off', []],
      ['recovery-codes-renewed', []],
    ] as const
  ).map(([kind, others]): (typeof templates)[number] => [
    kind,
    (name) => securityAlertMail(to, name, publicUrl, token, { kind, ...login }),
    [`/not-me?token=${token}`, ...others],
  ]),
]

const hostileNames = [
  '<b>x</b> http://evil.example',
  'http://evil.example',
  'evil.example',
  'Ana (evil.example)',
  'www evil',
  'evil．example',
  'evil。example',
  'mail eve@evil.example',
  '10.0.0.1',
  'call 0900 123456',
  'javascript:alert(1)',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  'Ana\r\nBcc: eve@evil.example',
  '&lt;b&gt;',
  '[click](http://evil.example)',
  '\u202egro.live',
  'x'.repeat(100),
]

const readAddresses = (text: string) => [...text.matchAll(/https?:\/\/[^\s<>"')]+/g)].map(([address]) => address)
const readTargets = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, target]) => target)

async function deliver(mail: Mail) {
  const composer = createTransport({ streamTransport: true, buffer: true })
  const { message } = await composer.sendMail(composeMessage(mail, 'Lectern <lectern@notes.example.org>'))
  return PostalMime.parse(message as Buffer)
}

describe.each(templates)('%s', (_name, create, paths) => {
  const links = paths.map((path) => publicUrl + path)

  test('links to the right address, and has the same content, in both parts', async () => {
    const mail = create('Ana')
    expect(mail.to).toBe(to)
    expect(mail.link).toBe(links[0])
    expect(new Set(readAddresses(mail.text))).toEqual(new Set(links))
    expect(new Set(readTargets(mail.html))).toEqual(new Set(links))

    const parsed = await deliver(mail)
    expect(parsed.to).toEqual([{ name: '', address: to }])
    expect(parsed.text?.replaceAll('\r\n', '\n').trim()).toBe(mail.text.trim())
    const shown = (parsed.html ?? '').replace(/<[^>]*>/g, ' ').replaceAll('&#39;', "'")
    for (const sentence of mail.text.split('\n').filter((line) => line.length > 40 && !line.startsWith('http'))) {
      expect(shown).toContain(sentence.replace(/:$/, ''))
    }
  })

  test('has one button, and shows its address in full', () => {
    const { html, link = '' } = create('Ana')
    expect(html.split(`<td style="background-color:#ffb622`)).toHaveLength(2)
    expect(html).toContain(`>${link.replaceAll('&', '&amp;')}</a>`)
  })

  test('has its own subject, loads nothing from elsewhere, and follows the dark theme', () => {
    const { html, subject } = create('Ana')
    expect(subject).toMatch(/^[A-Z][\w -]{10,60}$/)
    expect(html).not.toMatch(/<(img|link|script|iframe|form)|url\(|@import/i)
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
  })

  test.each(hostileNames)('a name like %j becomes neither markup nor a link', (name) => {
    const mail = create(name)
    expect(mail).toEqual({ ...create('!'), to })
    expect(mail.text).toMatch(/^Hello,\n/)
  })
})

test.each([
  'Ana',
  'Ana María Núñez',
  "Sinéad O'Connor",
  'J.R. Smith',
  'Anne-Marie',
  '李小龍',
  'محمد',
  'Prof. Ada L.',
  'Ana 2',
  'Okafor, Ada',
])('of the ordinary name %j the first word is used', (name) => {
  expect(toSafeDisplayName(name)).toBe(name)
  const mail = verificationMail(to, name, publicUrl, token)
  const greeting = `Hello ${name.split(/,? /)[0]},`
  expect(mail.text.startsWith(`${greeting}\n`)).toBe(true)
  expect(mail.html.replaceAll('&#39;', "'")).toContain(`>${greeting}</p>`)
})

test('a token is encoded for the address', () => {
  const mail = passwordResetMail(to, 'Ana', publicUrl, 'a b&c="d"')
  expect(mail.link).toBe(`${publicUrl}/reset-password?token=a%20b%26c%3D%22d%22`)
})

test('what a mail tells of one by one is linked in both parts, and nothing in it becomes markup', () => {
  const entries = [
    { label: 'Limits & series', detail: 'MAT137, 2026–27', link: `${publicUrl}/notes/1` },
    { label: '<b>Heaps</b>', detail: '"CS101"', link: `${publicUrl}/notes/2?page=3&find=a` },
  ]
  const mail = renderMail(to, 'Ana', { subject: 'New notes', paragraphs: ['Two.'], entries, smallPrint: [] })
  expect(mail.link).toBe(entries[0]?.link)
  for (const { label, detail, link } of entries) expect(mail.text).toContain(`${label}\n${detail}\n${link}\n`)
  expect(readTargets(mail.html)).toEqual([`${publicUrl}/notes/1`, `${publicUrl}/notes/2?page=3&amp;find=a`])
  expect(mail.html).toContain('>&lt;b&gt;Heaps&lt;/b&gt;</a>')
  expect(mail.html).not.toContain('<b>')
})

test('every mail ends with the links of the site and of its operator, in both parts', async () => {
  const sent: Mail[] = []
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} }
  const operatorLinks = [{ name: 'Terms & $& privacy', address: 'https://a.example/?a=b&c' }]
  await withMailFooter(mailer, { publicUrl, operatorLinks }).send(
    verificationMail(to, '<!-- footer -->', publicUrl, token),
  )
  await withMailFooter(mailer, { publicUrl, operatorLinks: [] }).send(verificationMail(to, 'Ana', publicUrl, token))
  const own = ['/rules', '/decisions', '/anonymity'].map((path) => publicUrl + path)
  expect(readTargets(sent[0]?.html ?? '').slice(-4)).toEqual([...own, 'https://a.example/?a=b&amp;c'])
  expect(sent[0]?.html).toContain('>Terms &amp; $&amp; privacy</a>')
  expect(sent[0]?.text).toMatch(/\nTerms & \$& privacy: https:\/\/a\.example\/\?a=b&c\n$/)
  expect(readTargets(sent[1]?.html ?? '').slice(-3)).toEqual(own)
  expect(sent[1]?.text).toMatch(/\nWhat “anonymous” means: .*\/anonymity\n$/)
})
