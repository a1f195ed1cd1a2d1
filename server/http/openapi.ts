import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { App } from './app-type.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A multipart form, for the API's description only: its parts are checked as they arrive. */
    form?: z.ZodType
  }
}

/** A file's bytes, in descriptions. */
export const binary = z.string().meta({ format: 'binary' })

/** `/api/openapi.json` from the routes' schemas, and the reference page at `/api/docs`. */
export async function registerOpenApi(app: App, { requireUser, config }: Deps): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lectern',
        version: '1',
        description:
          'Share study notes. Log in for an access token and send it as `Authorization: Bearer …`; ' +
          'it lasts 10 minutes, and the refresh cookie gets a new one. ' +
          'Every refusal is `{ message, code, fields? }`: branch on `code`, show `message`.',
      },
      servers: [{ url: config.publicUrl }],
      components: { securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform(document) {
      const form = document.route.config?.form
      if (!form || !document.schema) return jsonSchemaTransform(document)
      return jsonSchemaTransform({ ...document, schema: { ...document.schema, body: form } })
    },
  })
  app.addHook('onRoute', (route) => {
    if (route.onRequest === requireUser && route.schema) route.schema.security = [{ accessToken: [] }]
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger())
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: false,
    theme: { title: 'Lectern API' },
    uiConfig: { url: '/api/openapi.json', docExpansion: 'list', deepLinking: true },
  })
}
