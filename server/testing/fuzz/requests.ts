import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { makeForm, type Part } from '../form.ts'
import { onePagePdf } from '../pdf.ts'
import type { Known, Shaped } from './endpoints.ts'

/** Existing values, which get past the first checks: ids, and texts by field name. */
export type World = { ids: string[]; texts: Record<string, string[]> }
/** A request and the kind of user who sends it. */
export type Request = {
  options: Pick<InjectOptions, 'method' | 'url' | 'payload'> & { headers: Record<string, string> }
  sender: 'student' | 'suspended' | 'visitor' | 'stranger'
}

/** Each of these texts has broken some server. */
const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\r\nSet-Cookie: a=b',
  '\u202egnp.exe',
  '\ud800',
  '\ufffe',
  'İ'.repeat(40),
  'ﷺ'.repeat(500),
  'e\u0301'.repeat(300),
  '👨‍👩‍👧‍👦'.repeat(60),
  'a'.repeat(2_000),
  'a'.repeat(70_000),
  "'; DROP TABLE notes; --",
  "\\' OR 1=1 --",
  '%',
  '_%\\',
  '%00%0a%zz',
  '../../../../etc/passwd',
  '..%2f..%2fsecret',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  `\${7*7}{{7*7}}<%= 7*7 %>`,
  '$(id) `id` | id',
  'http://169.254.169.254/',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '-1',
  '9007199254740993',
  '2147483648',
  '0x10',
  '1970-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00.000Z',
  '99999-01-01',
  '294277-01-01T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{"$ne":null}',
  '"unbalanced',
  '"" "" ""',
  '& | ! ( ) : * <->',
  '- - -',
  '(((((((((((',
]
const hostileValues = [null, true, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -1e308, [], {}, [[]], [null], { $ne: null }]

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
)
const hostileValue = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...hostileValues) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown> },
)

/** Generates values that the schema accepts, as far as it specifies them. */
function plausible(name: string, shaped: Shaped, world: World): fc.Arbitrary<unknown> {
  if (shaped.const !== undefined) return fc.constant(shaped.const)
  if (shaped.enum) return fc.constantFrom(...shaped.enum)
  if (shaped.anyOf) return fc.oneof(...shaped.anyOf.map((one) => plausible(name, one, world)))
  switch (shaped.type) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.integer({ min: 1, max: 50 })
    case 'array':
      return fc.array(plausible(name, shaped.items ?? {}, world), { maxLength: 4 })
    case 'object':
      return valuesOf(shaped.properties ?? {}, world)
  }
  if (shaped.format === 'uuid') return fc.constantFrom(...world.ids)
  return fc.constantFrom(...(world.texts[name] ?? world.texts.any ?? ['waves']))
}

/** Generates mostly valid values, so that one wrong field gets past the checks of the others. */
const partOf = (name: string, shaped: Shaped, world: World): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 17, arbitrary: plausible(name, shaped, world) }, { weight: 3, arbitrary: hostileValue })

/** Generates fields that are mostly valid, with some wrong, missing or unknown ones. */
function valuesOf(fields: Record<string, Shaped>, world: World): fc.Arbitrary<Record<string, unknown>> {
  const arbitraries = Object.entries(fields).map(([name, shaped]) => [
    name,
    fc.option(partOf(name, shaped, world), { freq: 12, nil: undefined }),
  ])
  const known = fc.record<Record<string, unknown>>(Object.fromEntries(arbitraries))
  const name = fc.constantFrom('_id', 'user', 'likes', 'role', 'constructor', '$where')
  const unknown = fc.option(fc.tuple(name, hostileValue), { freq: 8, nil: undefined })
  return fc.tuple(known, unknown).map(([values, more]) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined)
    return Object.fromEntries(more ? [...given, more] : given)
  })
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed())
const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function queryOf(fields: Record<string, Shaped>, world: World): fc.Arbitrary<string> {
  const pairs = valuesOf(fields, world).map((values) =>
    Object.entries(values).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => `${encode(name)}=${encode(asText(one))}`),
    ),
  )
  const hostile = fc.constantFrom('&a[]=1', '&a[$ne]=1', '&%', '&%ff=%ff', '&=', '&&&', '&__proto__[a]=1')
  const odd = fc.oneof(fc.constant(''), hostile)
  return fc.tuple(pairs, odd).map(([all, more]) => (all.length === 0 && !more ? '' : `?${all.join('&')}${more}`))
}

const pathOf = (known: Known, world: World): fc.Arbitrary<string> =>
  valuesOf(known.params, world).map((values) =>
    known.endpoint.path.replace(/:(\w+)/g, (_, name: string) => encode(asText(values[name] ?? '-')) || '-'),
  )

const json = { 'content-type': 'application/json' }
const rawBody = fc.constantFrom(
  { payload: '{', headers: json },
  { payload: '', headers: json },
  { payload: 'null', headers: json },
  { payload: `${'['.repeat(5_000)}`, headers: json },
  { payload: '{"__proto__":{"isAdmin":true}}', headers: json },
  { payload: '{"a":1,"a":2}', headers: { 'content-type': 'application/json\ta' } },
  { payload: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  { payload: '<a/>', headers: { 'content-type': 'application/xml' } },
  { payload: '{}', headers: { 'content-type': 'text/plain' } },
  { payload: '{}', headers: { 'content-type': '' } },
  { payload: 'x', headers: { 'content-type': 'multipart/form-data' } },
)

function bodyOf(
  known: Known,
  world: World,
): fc.Arbitrary<{ payload?: string | Buffer; headers: Record<string, string> }> {
  const { body, form } = known
  const { method } = known.endpoint
  if (form) return fc.oneof({ weight: 8, arbitrary: formOf(known, form, world) }, { weight: 1, arbitrary: rawBody })
  if (method === 'GET') return fc.constant({ headers: {} })
  const fitting = body
    ? partOf('body', body, world).map((value) => ({ payload: JSON.stringify(value), headers: json }))
    : fc.constantFrom<{ payload?: string; headers: Record<string, string> }>(
        { headers: {} },
        { payload: '{}', headers: json },
      )
  return fc.oneof({ weight: 8, arbitrary: fitting }, { weight: 1, arbitrary: rawBody })
}

const contents = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Uint8Array>(onePagePdf) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes])),
  },
)

function formOf(known: Known, fields: Record<string, Shaped>, world: World) {
  const files = fc.array(fc.tuple(contents, hostileText), { maxLength: 2 })
  return fc.tuple(valuesOf(fields, world), files).map(([values, all]) => {
    const parts: Part[] = Object.entries(values).map(([name, value]) => ({ name, value: asText(value) }))
    const name = known.endpoint.multipart?.files ?? 'note'
    const { payload, headers } = makeForm([
      ...parts,
      ...all.map(([content, text]) => ({ name, content, fileName: `${text.toWellFormed().slice(0, 200)}.pdf` })),
    ])
    return { payload, headers }
  })
}

/** Optional headers of any request. Their values are valid in HTTP. */
const extraHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          ...['range', 'if-none-match', 'if-range', 'accept', 'accept-encoding', 'accept-language'],
          ...['cookie', 'x-forwarded-for', 'user-agent', 'origin'],
        ),
        fc.oneof(
          fc.constantFrom(
            ...['*', 'bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,0-0', 'null', 'text/html', 'gzip;q=0', ''],
            ...['a=b; a=c; ="', 'W/"x"'],
          ),
          fc.string({ unit: 'grapheme-ascii', maxLength: 100 }),
        ),
      )
      .map(([name, value]) => ({ [name]: value })),
  },
)

/** Generates requests for one endpoint, mostly from a student. */
export function requestsOf(known: Known, world: World): fc.Arbitrary<Request> {
  return fc
    .record({
      path: pathOf(known, world),
      query: queryOf(known.query, world),
      body: bodyOf(known, world),
      extra: extraHeaders,
      sender: fc.oneof(
        { weight: 5, arbitrary: fc.constant<Request['sender']>('student') },
        { weight: 3, arbitrary: fc.constantFrom<Request['sender'][]>('suspended', 'visitor', 'stranger') },
      ),
    })
    .map(({ path, query, body: { payload, headers }, extra, sender }) => ({
      options: {
        method: known.endpoint.method,
        url: `${path}${query}`,
        ...(payload !== undefined && { payload }),
        headers: { ...extra, ...headers },
      },
      sender,
    }))
}

const partOfAddress = fc.constantFrom(
  ...['api', 'notes', '%', '%2e%2e', '..', 'assets', 'dev', 'outbox', 'docs', '%ff', ';a=b', '*'],
)
/** Generates addresses without an endpoint. */
export const addresses: fc.Arbitrary<string> = fc
  .array(fc.oneof(hostileText.map(encode), partOfAddress), { maxLength: 5 })
  .map((parts) => `/${parts.join('/')}`)
