import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { type ErrorBody, errorMessage } from '../../contract/errors.ts'
import type { App } from './app-type.ts'

/** Where `npm run build` puts the pages. */
export const pagesFolder = fileURLToPath(new URL('../../dist/web/', import.meta.url))

/**
 * Serves the built pages. Every address that is no file is the application's to show, its own 404 page included;
 * only addresses below `/api` answer in JSON.
 */
export async function registerPages(app: App, folder = pagesFolder): Promise<void> {
  const built = existsSync(folder)
  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      logLevel: 'warn',
      setHeaders(reply, path) {
        // Built files carry a hash of their content in their names; the others may change with any release.
        const isHashed = /[\\/]assets[\\/]/.test(path)
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    app.get('/', { schema: { hide: true }, logLevel: 'warn' }, (_request, reply) => reply.sendFile('index.html'))
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = ['GET', 'HEAD'].includes(request.method) && !/^\/(api|dev|assets)\//.test(request.url)
    if (built && isPage && request.headers.accept?.includes('text/html')) return reply.sendFile('index.html')
    const body: ErrorBody = { message: errorMessage('not_found'), code: 'not_found' }
    return reply.status(404).send(body)
  })
}
