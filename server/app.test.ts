import { expect, it } from 'vitest'
import { openTestApp } from './testing/app.ts'
import { expectRefusal } from './testing/refusal.ts'

const test = await openTestApp()

it.each(['/%zz', '/api/notes/%E0%A4%A/view', `/api/notes/${'a'.repeat(300)}/view`])(
  'refuses an address that cannot be read in the one form: %s',
  async (url) => {
    const response = await test.app.inject({ url })
    expectRefusal(response, 'malformed_request')
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  },
)

it.each(['/courses/%E0%A4%A', '/%zz'])('shows a browser that there is nothing at %s', async (url) => {
  const ask = (accept: string, asked = url) => test.app.inject({ url: asked, headers: { accept } })
  const response = await ask('text/html,*/*')
  expect([response.statusCode, response.headers.location]).toEqual([302, '/not-found'])
  expectRefusal(await ask('application/json'), 'malformed_request')
  expectRefusal(await ask('text/html,*/*', `/api${url}`), 'malformed_request')
})

it.each([
  ['GET', '/api/users/login'],
  ['PUT', '/api/users/login'],
  ['POST', '/api/users/nothing'],
  ['DELETE', '/api/users/me'],
] as const)('answers %s %s with 404 in the one form', async (method, url) => {
  expectRefusal(await test.app.inject({ method, url }), 'not_found')
})

it.each(['application/json', 'text/html'])(
  'sends the security headers as %s for a malformed address',
  async (accept) => {
    const { headers } = await test.app.inject({ url: '/%zz', headers: { accept } })
    const elsewhere = await test.app.inject({ url: '/api/nothing', headers: { accept } })
    for (const name of ['content-security-policy', 'x-content-type-options', 'referrer-policy'])
      expect([name, headers[name]]).toEqual([name, elsewhere.headers[name]])
  },
)
