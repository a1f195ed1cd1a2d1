import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createUser, openTestApp, password } from '../../testing/app.ts'
import { waitForMail } from '../../testing/mails.ts'
import { newEmail, post } from '../../testing/students.ts'

const test = await openTestApp({ PUBLIC_URL: 'https://notes.example.org', TRUST_PROXY: '127.0.0.1' })
const address = new URL(await test.app.listen({ port: 0, host: '127.0.0.1' }))

const form = (email: string) => ({ name: 'Ada', email, password, confirmPassword: password })

async function expectOwnLinks(email: string) {
  const mail = await waitForMail(test, email)
  const links = `${mail.text} ${mail.html} ${mail.link}`.match(/\w+:\/\/[^\s<"]+/g) ?? []
  expect(links.length).toBeGreaterThanOrEqual(3)
  for (const link of links) expect(link).toMatch(/^https:\/\/notes\.example\.org\//)
  expect(mail.text + mail.html).not.toContain('evil.')
}

it.each([
  { host: 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', 'x-forwarded-port': '666' },
  { forwarded: 'host=evil.example;proto=http' },
  { 'x-original-host': 'evil.example', 'x-host': 'evil.example', 'x-forwarded-server': 'evil.example' },
])('mailed links begin with PUBLIC_URL, whatever %j contains (C5)', async (headers) => {
  const [fresh, known, unknown] = [newEmail(), (await createUser(test)).email, newEmail()]
  expect((await post(test, '/api/users/', form(fresh), headers)).statusCode).toBe(201)
  expect((await post(test, '/api/users/forgot-password', { email: known }, headers)).statusCode).toBe(200)
  expect((await post(test, '/api/users/forgot-password', { email: unknown }, headers)).statusCode).toBe(200)
  for (const email of [fresh, known, unknown]) await expectOwnLinks(email)
})

it('mailed links begin with PUBLIC_URL for a request line with a whole address (C5)', async () => {
  const email = newEmail()
  const body = JSON.stringify({ email })
  const request = [
    'POST http://evil.example/api/users/forgot-password HTTP/1.1',
    'Host: evil.example',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
  const status = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(address.port), '127.0.0.1', () => socket.write(request))
    socket.once('data', (chunk) => resolve(chunk.toString().split(' ')[1] ?? ''))
    socket.once('error', reject)
  })
  // A rejected or answered request must not control where links point.
  expect(['200', '400', '404']).toContain(status)
  if (status === '200') await expectOwnLinks(email)
})
