import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { markRoutePublic } from './auth-guard.ts'
import type { App } from './endpoints.ts'
import { apiDocsCsp } from './requests.ts'

/** Serves `/api/openapi.json`, built from the routes' schemas, and the reference page at `/api/docs`. */
export async function registerOpenApi(app: App, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lectern',
        version: '1',
        description:
          'Share study notes. Log in for an access token and send it as `Authorization: Bearer …`; ' +
          'it lasts 10 minutes, and the refresh cookie gets a new one. ' +
          'Every error is `{ message, code, fields? }`: branch on `code`, show `message`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } } },
    },
    transform(document) {
      const form = document.route.config?.form
      if (!form || !document.schema) return jsonSchemaTransform(document)
      return jsonSchemaTransform({ ...document, schema: { ...document.schema, body: form } })
    },
  })
  await app.register(async (reference: App) => {
    reference.addHook('onRoute', markRoutePublic)
    reference.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', apiDocsCsp)
    })
    reference.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger())
    await reference.register(swaggerUi, {
      routePrefix: '/api/docs',
      staticCSP: false,
      theme: { title: 'Lectern API' },
      uiConfig: { url: '/api/openapi.json', docExpansion: 'list', deepLinking: true },
    })
  })
}
