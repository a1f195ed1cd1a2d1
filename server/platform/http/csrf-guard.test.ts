import { expect, it } from 'vitest'
import { createUser, openTestApp, password } from '../../testing/app.ts'
import { countRows, expectRefusal, expectStatus } from '../../testing/refusal.ts'
import { cookieOf, logIn, post } from '../../testing/students.ts'

const test = await openTestApp({ PUBLIC_URL: 'https://notes.example.org', TRUST_PROXY: '10.0.0.1' })
const user = await createUser(test)
const url = '/api/users/me/notes/00000000-0000-4000-8000-000000000000'
/** An allowed request changes nothing, because the response is 404. */
const change = (headers: Record<string, string | undefined>, method: 'POST' | 'PATCH' | 'DELETE' = 'DELETE') =>
  test.app.inject({ method, url, headers: { ...user.auth, host: 'notes.example.org', ...headers } })

it.each([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://notes.example.org' },
  { 'sec-fetch-site': 'nonsense' },
  { origin: 'https://evil.example' },
  { origin: 'https://notes.example.org.evil.example' },
  { origin: 'https://notes.example.org:8443' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'notes.example.org' },
  { origin: 'https://notes.example.org@evil.example' },
])('changes requested by a page of another site (C14) are refused: %j', async (headers) => {
  for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
    const response = await change(headers, method)
    expectRefusal(response, 'cross_site_request')
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
  }
})

it('changes requested by a page of another site (C14) are refused where a session begins, goes on and ends, which stays as it was', async () => {
  const login = await logIn(test, user.email)
  const { cookie } = cookieOf(login)
  const before = await countRows(test)
  for (const from of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }]) {
    for (const path of ['login', 'auth/refresh', 'logout', 'auth/logout']) {
      const body = path === 'login' ? { email: user.email, password } : undefined
      const response = await post(test, `/api/users/${path}`, body, { cookie, host: 'notes.example.org', ...from })
      expectRefusal(response, 'cross_site_request')
      expect(response.headers['set-cookie']).toBeUndefined()
      expect(response.headers['access-control-allow-origin']).toBeUndefined()
    }
  }
  expect(await countRows(test)).toEqual(before)
  expect((await post(test, '/api/users/auth/refresh', undefined, { cookie })).statusCode).toBe(200)
})

it.each([
  {},
  { 'sec-fetch-site': 'same-origin', origin: 'https://notes.example.org' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://notes.example.org' },
  { origin: 'http://localhost:3000', host: 'localhost:3000' },
  { origin: 'http://[::1]:3000', host: '[::1]:3000' },
  // A reverse proxy may send another Host.
  { origin: 'https://notes.example.org', host: 'lectern.internal:3000' },
])('changes requested by Lectern’s own pages and by programs are accepted: %j', async (headers) => {
  expectRefusal(await change(headers), 'note_not_found')
})

it('reading is possible for a page of another site, which cannot read the response', async () => {
  const headers = { ...user.auth, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const response = await expectStatus(200, test.app.inject({ url: '/api/notes', headers }))
  expect(response.headers['access-control-allow-origin']).toBeUndefined()
  expect(response.headers['cross-origin-resource-policy']).toBe('same-origin')
})

it('reading has no preflight that allows more', async () => {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  const headers = { origin: 'https://evil.example', ...asked }
  const response = await expectStatus(404, test.app.inject({ method: 'OPTIONS', url: '/api/users/login', headers }))
  expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})
