import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { LightMyRequestResponse } from 'fastify'
import { expect, it } from 'vitest'
import { openTestApp } from '../test/app.ts'

/**
 * The score that Mozilla's HTTP Observatory gives, by its published rules of 2026: a hundred, less what is wrong; what
 * is better than asked for counts where ninety are left. Left out are the redirect from http, which is the proxy's, and
 * its certificate.
 */
const test = await openTestApp({ PUBLIC_URL: 'https://notes.example.org' })
const indexHtml = await readFile(fileURLToPath(new URL('../../web/index.html', import.meta.url)), 'utf8')

type Headers = LightMyRequestResponse['headers']
type Rule = (headers: Headers) => number

const broad = /^(ftp:|https?:|\*|https?:\/\/\*(\.\*)?)$/
const sixMonths = 15_552_000

function readPolicy(headers: Headers): Map<string, string[]> {
  const parts = String(headers['content-security-policy'] ?? '').split(';')
  const directives = parts
    .map((part) => part.trim().split(/\s+/))
    .map(([name = '', ...sources]) => [name, sources] as const)
  return new Map(directives.filter(([name]) => name !== ''))
}

const rules: Record<string, Rule> = {
  'content security policy'(headers) {
    const policy = readPolicy(headers)
    if (policy.size === 0) return -25
    const sourcesOf = (name: string) => policy.get(name) ?? policy.get('default-src') ?? ['*']
    const [scripts, styles, objects] = ['script-src', 'style-src', 'object-src'].map(sourcesOf) as [
      string[],
      string[],
      string[],
    ]
    const isUnsafe = (source: string) => broad.test(source) || source === "'unsafe-inline'" || source === 'data:'
    if (scripts.some(isUnsafe) || objects.some((source) => broad.test(source))) return -20
    if ([...policy.values()].flat().some((source) => /^(http|ftp):/.test(source))) return -20
    if ([...scripts, ...styles].includes("'unsafe-eval'")) return -10
    if (styles.some(isUnsafe)) return 0
    return policy.get('default-src')?.join() === "'none'" ? 10 : 5
  },
  cookies(headers) {
    const set = [headers['set-cookie'] ?? []].flat()
    if (set.length === 0) return 0
    if (!set.every((cookie) => /;\s*secure/i.test(cookie))) return -40
    if (!set.every((cookie) => /;\s*httponly/i.test(cookie))) return -30
    return set.every((cookie) => /;\s*samesite=(strict|lax)/i.test(cookie)) ? 5 : 0
  },
  'cross-origin resource sharing': (headers) =>
    headers['access-control-allow-origin'] && headers['access-control-allow-credentials'] ? -50 : 0,
  'referrer policy'(headers) {
    const policy = headers['referrer-policy']
    if (policy === undefined) return 0
    return /^(no-referrer|same-origin|strict-origin(-when-cross-origin)?)$/.test(String(policy)) ? 5 : -5
  },
  'strict transport security'(headers) {
    const seconds = Number(/max-age=(\d+)/.exec(String(headers['strict-transport-security']))?.[1] ?? Number.NaN)
    if (Number.isNaN(seconds)) return -20
    return seconds < sixMonths ? -10 : 0
  },
  'subresource integrity'() {
    const scripts = [...indexHtml.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map(([, source = '']) => source)
    return scripts.every((source) => /^\/(?!\/)/.test(source)) ? 0 : -50
  },
  'x-content-type-options': (headers) => (headers['x-content-type-options'] === 'nosniff' ? 0 : -5),
  framing(headers) {
    if (readPolicy(headers).has('frame-ancestors')) return 5
    return /^(deny|sameorigin)$/i.test(String(headers['x-frame-options'])) ? 0 : -20
  },
  'cross-origin resource policy'(headers) {
    const policy = headers['cross-origin-resource-policy']
    if (policy === undefined || policy === 'cross-origin') return 0
    return policy === 'same-origin' || policy === 'same-site' ? 10 : -5
  },
}

function gradeOf(headers: Headers) {
  const points = Object.values(rules).map((rule) => rule(headers))
  const sum = (kept: number[]) => kept.reduce((total, each) => total + each, 100)
  const base = sum(points.filter((each) => each < 0))
  const score = base >= 90 ? sum(points) : base
  return { score, grade: score >= 100 ? 'A+' : 'less' }
}

it.each(['/', '/browse', '/login'])('%s scores A+', async (url) => {
  const { headers } = await test.app.inject({ url, headers: { accept: 'text/html' } })
  expect(gradeOf(headers)).toEqual({ score: 120, grade: 'A+' })
})

it('scores a login with its cookie A+ too', async () => {
  const { headers } = await test.app.inject({ method: 'POST', url: '/api/users/logout' })
  expect(headers['set-cookie']).toBeDefined()
  expect(gradeOf(headers)).toEqual({ score: 125, grade: 'A+' })
})

it.each([
  ['content-security-policy', undefined],
  ['content-security-policy', "default-src 'self'; script-src 'self' 'unsafe-inline'; frame-ancestors 'none'"],
  ['strict-transport-security', undefined],
  ['set-cookie', 'lectern_session=1'],
])('scores less with %s: %s', async (name, value) => {
  const { headers } = await test.app.inject('/')
  expect(gradeOf({ ...headers, [name]: value }).grade).toBe('less')
})
