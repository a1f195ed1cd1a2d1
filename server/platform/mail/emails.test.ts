import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import * as mails from './emails.ts'
import { composeMessage, type Mail } from './mailer.ts'
import { type MailContent, renderMail, toSafeDisplayName, withMailFooter } from './render-mail.ts'

const site = 'https://notes.example.org'
const token = 'x5-_'.repeat(11)
const to = 'ana@example.org'
const claimed = '4f2c3c1e-7a53-4c59-9a4b-52d5c8a3c2f1'

const courseNews = [
  { course: 'CSC148 Introduction to Computer Science', notes: 5, link: '/courses/CSC148' },
  { course: 'MAT137', notes: 1, link: '/courses/MAT137' },
]

const login = { device: 'Firefox on Linux', createdAt: new Date('2026-11-21T09:30:00Z') }
const hiding = { kind: 'hide', rule: 'exam', reason: 'It is still written.' } as const
const suspension = { until: 'until 3 May 2027 (UTC)', reason: 'Sold exams.', title: 'Old exams' }

const alertKinds = [
  'password-changed',
  'email-changed',
  'new-device',
  'leaving',
  'passkey-added',
  'passkey-removed',
  'two-factor-on',
  'two-factor-off',
  'recovery-codes-renewed',
] as const

/** Each mail, and the links it may contain. */
const templates: [string, MailContent, string[]][] = [
  ['verification', mails.verificationMail(token), [`/verify?token=${token}`]],
  ['problem', mails.problemMail({ text: 'The disk is full.', isOver: true }), ['/admin']],
  ['account exists', mails.accountExistsMail, ['/login', '/forgot-password']],
  ['password reset', mails.passwordResetMail(token), [`/reset-password?token=${token}`]],
  ['no account', mails.noAccountMail, ['/register']],
  [
    'course news',
    mails.courseDigestMail(courseNews, 'weekly', `/unsubscribe?token=${token}`),
    ['/courses', '/courses/CSC148', '/courses/MAT137', `/unsubscribe?token=${token}`],
  ],
  ['confirm email', mails.confirmEmailMail(token), [`/confirm-email?token=${token}`]],
  ['email taken', mails.emailTakenMail, ['/login']],
  ['account left', mails.accountDeletedMail('remove'), ['/register']],
  ['export ready', mails.exportReadyMail(login.createdAt), ['/settings#export']],
  ['note hidden', mails.noteDecidedMail('Rings', hiding), ['/my-notes']],
  ['moderators ask', mails.moderatorsAskMail('Rings', 'Is this yours?'), ['/my-notes']],
  ['copyright claim', mails.claimDecidedMail(claimed, hiding), ['/rules']],
  ['claim, note gone', mails.claimDecidedMail(null, null), ['/rules']],
  ['suspended', mails.suspendedMail(suspension), ['/rules']],
  ['suspension lifted', mails.suspensionLiftedMail, ['/login']],
  ['invitation', mails.invitationMail(token), [`/register?invitation=${token}`]],
  ...alertKinds.map((kind): (typeof templates)[number] => [
    kind,
    mails.securityAlertMail(token, { kind, ...login }),
    [`/not-me?token=${token}`, ...(kind === 'leaving' ? ['/login'] : [])],
  ]),
]
const render = (content: MailContent, name: string) => renderMail({ to: { email: to, name }, ...content }, site)

const hostileNames = [
  'evil.example',
  '[click](http://evil.example)',
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

describe.each(templates)('%s', (_name, content, paths) => {
  const create = (name: string) => render(content, name)
  const links = paths.map((path) => site + path)

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
    for (const sentence of mail.text.split('\n').filter((line) => line.length > 40 && !line.startsWith('http')))
      expect(shown).toContain(sentence.replace(/:$/, ''))
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
  const mail = render(mails.verificationMail(token), name)
  const greeting = `Hello ${name.split(/,? /)[0]},`
  expect(mail.text.startsWith(`${greeting}\n`)).toBe(true)
  expect(mail.html.replaceAll('&#39;', "'")).toContain(`>${greeting}</p>`)
})

test('a token is encoded for the address', () => {
  const mail = render(mails.passwordResetMail('a b&c="d"'), 'Ana')
  expect(mail.link).toBe(`${site}/reset-password?token=a%20b%26c%3D%22d%22`)
})

test('what a mail tells of one by one is linked in both parts, and nothing in it becomes markup', () => {
  const entries = [
    { label: 'Limits & series', detail: 'MAT137, 2026–27', link: '/notes/1' },
    { label: '<b>Heaps</b>', detail: '"CS101"', link: '/notes/2?page=3&find=a' },
  ]
  const mail = render({ subject: 'New notes', paragraphs: ['Two.'], entries, smallPrint: [] }, 'Ana')
  expect(mail.link).toBe(`${site}/notes/1`)
  for (const { label, detail, link } of entries) expect(mail.text).toContain(`${label}\n${detail}\n${site}${link}\n`)
  expect(readTargets(mail.html)).toEqual([`${site}/notes/1`, `${site}/notes/2?page=3&amp;find=a`])
  expect(mail.html).toContain('>&lt;b&gt;Heaps&lt;/b&gt;</a>')
  expect(mail.html).not.toContain('<b>')
})

test('every mail ends with the links of the site and of its operator, in both parts', async () => {
  const sent: Mail[] = []
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} }
  const operatorLinks = [{ name: 'Terms & $& privacy', address: 'https://a.example/?a=b&c' }]
  await withMailFooter(mailer, { publicUrl: site, operatorLinks }).send(
    render(mails.verificationMail(token), '<!-- footer -->'),
  )
  await withMailFooter(mailer, { publicUrl: site, operatorLinks: [] }).send(
    render(mails.verificationMail(token), 'Ana'),
  )
  const own = ['/rules', '/decisions', '/anonymity'].map((path) => site + path)
  expect(readTargets(sent[0]?.html ?? '').slice(-4)).toEqual([...own, 'https://a.example/?a=b&amp;c'])
  expect(sent[0]?.html).toContain('>Terms &amp; $&amp; privacy</a>')
  expect(sent[0]?.text).toMatch(/\nTerms & \$& privacy: https:\/\/a\.example\/\?a=b&c\n$/)
  expect(readTargets(sent[1]?.html ?? '').slice(-3)).toEqual(own)
  expect(sent[1]?.text).toMatch(/\nWhat “anonymous” means: .*\/anonymity\n$/)
})
