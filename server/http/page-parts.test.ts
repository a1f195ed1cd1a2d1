import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openTestApp } from '../test/app.ts'
import { atEnd } from '../test/at-end.ts'
import { sharePageParts } from './page-parts.ts'
import { registerPages } from './pages.ts'

const { db } = (await openTestApp()).deps

/** A server of a version that has these scripts and styles; `start` is what its start does. */
async function buildVersion(parts: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'lectern version '))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'assets', 'inter-111.woff2'), 'a font, which no page needs')
  for (const [name, content] of Object.entries(parts)) {
    await writeFile(join(folder, 'assets', name), content)
    // The build leaves what is tiny as it is.
    if (content.length > 4) await writeFile(join(folder, 'assets', `${name}.br`), brotliCompressSync(content))
  }
  const app = Fastify()
  await registerPages(app as never, 'https://notes.example', db, folder)
  atEnd(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  const get = (name: string, headers = {}) => app.inject({ url: `/assets/${name}`, headers })
  return { start: () => sharePageParts(db, folder), get, app }
}

const older = await buildVersion({ 'main-aaa.js': 'let older', 'Page-ccc.js': 'let both' })
const newer = await buildVersion({ 'main-bbb.js': 'let newer', 'Page-ccc.js': 'let both', 'main-bbb.css': 'a{}' })
await older.start()
await newer.start()

it('each version sends the scripts and styles of the others beside it, as its own', async () => {
  const ofNewer = await older.get('main-bbb.js')
  expect([ofNewer.statusCode, ofNewer.body]).toEqual([200, 'let newer'])
  expect(ofNewer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  })
  expect((await older.get('main-bbb.css')).headers['content-type']).toBe('text/css; charset=utf-8')
  expect((await older.get('main-bbb.css')).body).toBe('a{}')
  const ofOlder = await newer.get('main-aaa.js', { 'accept-encoding': 'gzip, br' })
  expect(ofOlder.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(ofOlder.rawPayload).toString()).toBe('let older')
  const head = await newer.app.inject({ method: 'HEAD', url: '/assets/main-aaa.js' })
  expect([head.statusCode, head.body]).toEqual([200, ''])
  for (const name of ['main-ddd.js', 'inter-222.woff2', "main-aaa.js'--", '..%2fmain-aaa.js']) {
    expect((await newer.get(name)).statusCode).toBe(404)
  }
  expect((await newer.app.inject({ method: 'POST', url: '/assets/main-aaa.js' })).statusCode).toBe(404)
})

it('they go a month after the last start of a server without them, and no others', async () => {
  const names = async () => (await sql<{ name: string }>`SELECT name FROM page_parts ORDER BY name`.execute(db)).rows
  const all = await names()
  const age = (days: number) =>
    sql`UPDATE page_parts SET superseded_at = now() - ${days} * interval '1 day' WHERE superseded_at IS NOT NULL`.execute(
      db,
    )
  await age(29)
  await newer.start()
  expect(await names()).toEqual(all)
  await age(31)
  await newer.start()
  expect(await names()).toEqual(['Page-ccc.js', 'main-bbb.css', 'main-bbb.js'].map((name) => ({ name })))
  // A server that starts again brings its own back.
  await older.start()
  expect(await names()).toEqual(all)
})
