import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, errorMessage } from '../../../packages/contract/errors.ts'
import type { Config } from '../../config.ts'
import { markRoutePublic } from './auth-guard.ts'
import type { App } from './endpoints.ts'
import { allowInlineScripts } from './requests.ts'

type Site = Pick<Config, 'operatorName' | 'operatorLinks' | 'operatorPicture'> & { publicUrl: string }

/**
 * Serves the built pages. The application handles every address that is not a file, including its own 404 page; only
 * addresses below `/api` answer in JSON.
 */
export async function registerWebApp(app: App, site: Site, folder = webAppFolder): Promise<void> {
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const html = existsSync(folder) ? await read('index.html') : null
  const sendIndex = html === null ? null : preparePage(withTags(html, siteTags(site)))
  if (html !== null && sendIndex !== null) {
    await app.register(async (pages: App) => {
      pages.addHook('onRoute', markRoutePublic)
      const common = { index: false, preCompressed: true, logLevel: 'warn' } as const
      // The names of built files contain a hash of their content; other files may change with any release.
      await pages.register(fastifyStatic, {
        ...common,
        root: join(folder, 'assets'),
        prefix: '/assets/',
        setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
      })
      await pages.register(fastifyStatic, {
        ...common,
        root: folder,
        // Each file has its own route, so that no other address causes a disk lookup.
        wildcard: false,
        globIgnore: ['assets/**', '*.html'],
        decorateReply: false,
        setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
      })
      const options = { schema: { hide: true }, logLevel: 'warn' } as const
      pages.get('/', options, preparePage(withTags(await read('landing.html'), siteTags(site))))
      // Link previews of chat programs do not send that they accept HTML.
      pages.get('/notes/:id', options, preparePage(withTags(html, { ...siteTags(site), ...noteTags(site) })))
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (sendIndex && asksForPage(request)) return sendIndex(request, reply.status(200))
    const body: ErrorBody = { message: errorMessage('not_found'), code: 'not_found' }
    return reply.status(404).send(body)
  })
}

/** Returns whether a browser requests a page. */
export const asksForPage = ({ method, url, headers }: FastifyRequest): boolean =>
  ['GET', 'HEAD'].includes(method) && !/^\/(api|assets)\//.test(url) && !!headers.accept?.includes('text/html')

const siteTags = ({ publicUrl, operatorName, operatorLinks, operatorPicture }: Site) => ({
  'og:image': operatorPicture ?? String(new URL('/og.png', publicUrl)),
  ...(operatorPicture && { 'og:image:alt': operatorName ?? '' }),
  // In the page, so that its footer needs no request and does not grow later.
  'operator-links': JSON.stringify(operatorLinks),
})

/** The link preview of a note is the same for every address, so it reveals neither the note nor whether it exists. */
const noteTags = ({ operatorName }: Site) => ({
  'og:site_name': operatorName ?? 'Lectern',
  'og:title': 'A note on Lectern',
  'og:description': `${operatorName ? `Shared at ${operatorName}. ` : ''}Log in to read it.`,
})

const withTags = (html: string, tags: Record<string, string>): string =>
  html.replace(/(<meta (?:property|name)="([\w:-]+)" content=")[^"]*/g, (tag, start, name) =>
    name in tags ? start + tags[name]?.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`) : tag,
  )

const encoders = {
  br: (body: Buffer) => brotliCompressSync(body),
  gzip: (body: Buffer) => gzipSync(body, { level: 9 }),
}

/**
 * Returns a handler that sends the page, or 304 when the browser has it. The page is compressed when an encoding is first
 * accepted, because this takes some 50 ms, which a start need not wait for.
 */
function preparePage(html: string) {
  const body = Buffer.from(html)
  const bodies: { identity: Buffer; br?: Buffer; gzip?: Buffer } = { identity: body }
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => hashOf(script)).join(' ')
  return (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding' })
    if (scripts) allowInlineScripts(reply, scripts)
    if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send()
    const accepted = request.headers['accept-encoding'] ?? ''
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'
    if (encoding !== 'identity') {
      reply.header('content-encoding', encoding)
      bodies[encoding] ??= encoders[encoding](body)
    }
    return reply.type('text/html; charset=utf-8').send(bodies[encoding])
  }
}

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** The folder into which `npm run build` writes the pages. Built code is one folder deeper, in `lib/`. */
const toRoot = import.meta.url.endsWith('.ts') ? '../../../' : '../../../../'
const webAppFolder = fileURLToPath(new URL(`${toRoot}dist/web/`, import.meta.url))
