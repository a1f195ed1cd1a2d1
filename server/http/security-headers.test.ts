import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { setSecurityHeaders } from './security-headers.ts'

async function headersAt(publicUrl: string) {
  const app = Fastify()
  app.addHook('onRequest', setSecurityHeaders(publicUrl))
  const { headers } = await app.inject('/nowhere')
  const ofTheAnswer = ['content-type', 'content-length', 'date', 'connection']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheAnswer.includes(name)))
}

const expected = {
  'content-security-policy':
    "default-src 'self';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data: blob:;font-src 'self';" +
    "connect-src 'self';object-src 'self' blob:;frame-src 'self' blob:;base-uri 'none';form-action 'self';" +
    "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

it('stand with every answer, also where nothing is', async () => {
  expect(await headersAt('http://localhost:3000')).toEqual(expected)
})

it('keep to https where Lectern is served by it', async () => {
  expect(await headersAt('https://notes.example.org')).toEqual({
    ...expected,
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  })
})

it('lets no text become code', () => {
  const scripts = /script-src ([^;]+)/.exec(expected['content-security-policy'])?.[1]
  expect(scripts).toBe("'self'")
})
