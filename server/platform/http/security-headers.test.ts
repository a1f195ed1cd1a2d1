import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { setSecurityHeaders } from './requests.ts'

async function headersAt(publicUrl: string, hstsSubdomains = false) {
  const app = Fastify()
  app.addHook('onRequest', setSecurityHeaders({ publicUrl, hstsSubdomains }))
  const { headers } = await app.inject('/nowhere')
  const ofTheAnswer = ['content-type', 'content-length', 'date', 'connection']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheAnswer.includes(name)))
}

const expected = {
  'content-security-policy':
    "default-src 'none';script-src 'self';worker-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data: blob:;" +
    "font-src 'self';connect-src 'self';manifest-src 'self';object-src 'self' blob:;frame-src 'self' blob:;" +
    "base-uri 'none';form-action 'self';frame-ancestors 'none';require-trusted-types-for 'script';trusted-types default",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': expect.stringMatching(/^accelerometer=\(\), .*camera=\(\), .*microphone=\(\)/),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

it('stand with every answer, also where nothing is', async () => {
  expect(await headersAt('http://localhost:3000')).toEqual(expected)
})

it('require https where Lectern is served by it, and exclude subdomains unless the operator includes them', async () => {
  const https = 'https://notes.example.org'
  const keepTo = (text: string) => ({ ...expected, 'strict-transport-security': text })
  expect(await headersAt(https)).toEqual(keepTo('max-age=31536000'))
  expect(await headersAt(https, true)).toEqual(keepTo('max-age=31536000; includeSubDomains'))
  expect(await headersAt('http://localhost:3000', true)).toEqual(expected)
})
