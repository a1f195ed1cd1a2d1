import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Deps } from './dependencies.ts'
import { accountRoutes } from './features/accounts/accounts.routes.ts'
import { administrationRoutes } from './features/administration/administration.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { createRequireUser } from './features/auth/sessions/require-user.ts'
import { courseRoutes } from './features/courses/courses.routes.ts'
import { moderationRoutes } from './features/moderation/moderation.routes.ts'
import { noteRoutes } from './features/notes/notes.routes.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { uploadRoutes } from './features/uploads/upload.routes.ts'
import { waitUpTo } from './platform/db/waiting.ts'
import { createProxyCheck } from './platform/http/addresses.ts'
import { fail } from './platform/http/api-error.ts'
import { requireAuthByDefault } from './platform/http/auth-guard.ts'
import { type App, serializerCompiler } from './platform/http/endpoints.ts'
import { handleError, stillStarting } from './platform/http/error-handler.ts'
import { healthRoutes } from './platform/http/health.ts'
import { registerOpenApi } from './platform/http/openapi.ts'
import {
  createCsrfGuard,
  createRequestId,
  enforceMinBodyRate,
  logResponse,
  observeRequests,
  setSecurityHeaders,
  warnAboutUntrustedProxy,
} from './platform/http/requests.ts'
import { stopListening } from './platform/http/stop-listening.ts'
import { asksForPage, registerWebApp } from './platform/http/web-app.ts'
import { outboxRoutes } from './platform/mail/outbox.ts'
import { getFilesOrigin } from './platform/storage/open-storage.ts'

/** Maximum size of bodies other than uploads; the longest is a recently viewed list. */
const bodyLimitBytes = 64 * 2 ** 10
/**
 * Time limit from the first byte of a request to its last, uploads included. `enforceMinBodyRate` ends slow ones
 * earlier.
 */
const requestTimeoutMs = 30 * 60_000
/** How long requests wait for the start. Most starts are faster, so these requests are only delayed. */
const startWaitMs = 5_000
/** The web app has no page at this path and shows its "not found" page. */
const notFoundPagePath = '/not-found'

/** Builds the whole server from its dependencies. The caller listens, or injects requests. */
export async function buildApp(deps: Deps, logger: FastifyBaseLogger | false): Promise<App> {
  const { config } = deps
  const setHeaders = setSecurityHeaders({
    ...config,
    filesOrigin: config.s3?.usesPresignedUrls ? getFilesOrigin(config.s3) : null,
  })
  const isTrusted = createProxyCheck(config.trustProxy)
  const namesRequests = config.requestIds === 'proxy' ? isTrusted : () => false
  const app: App = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    genReqId: createRequestId(namesRequests),
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // On closing, requests in progress are answered; see `start-server.ts` for the time limit.
    return503OnClosing: false,
    // Malformed URLs never reach the error handler, and no hook has run. A browser is redirected to the "not found"
    // page.
    frameworkErrors(error, request, reply) {
      setHeaders(request, reply, () => {})
      if (asksForPage(request)) reply.redirect(notFoundPagePath)
      else handleError(error, request, reply)
    },
    logController: new LogController({ disableRequestLogging: true }),
  }).withTypeProvider<ZodTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)

  observeRequests(app, deps.telemetry, namesRequests)
  warnAboutUntrustedProxy(app, deps.log, isTrusted)
  app.addHook('onRequest', setHeaders)
  app.addHook('onRequest', async (_request, { raw }) => {
    if (deps.lifecycle.phase === 'draining') raw.setHeader('connection', 'close')
  })
  app.addHook('onResponse', logResponse)
  app.addHook('preClose', () => stopListening(app.server))
  requireAuthByDefault(app, createRequireUser(deps))
  if (config.role === 'worker') app.setNotFoundHandler(() => fail('not_found'))
  else await registerPublicRoutes(app, deps)
  healthRoutes(app, deps)
  return app
}

/** Registers the API and the web app. */
async function registerPublicRoutes(app: App, deps: Deps): Promise<void> {
  const { config, lifecycle } = deps
  await app.register(cookie)
  await app.register(multipart, { throwFileSizeLimit: false })
  await registerOpenApi(app, config.publicUrl)
  app.addHook('onRequest', createCsrfGuard(config.publicUrl))
  app.addHook('onRequest', enforceMinBodyRate)

  await app.register(async (api: App) => {
    // A response belongs to one user, so no cache may store it.
    api.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      if (lifecycle.phase === 'starting') await waitUpTo(startWaitMs, lifecycle.started)
      if (lifecycle.phase === 'starting') fail('unavailable', { retryAfterSeconds: 5, cause: stillStarting })
    })
    api.addHook('preHandler', async ({ routeOptions }) => {
      if (routeOptions.config.growsStorage) await deps.space.assertFree()
    })
    accountRoutes(api, deps)
    authRoutes(api, deps)
    noteRoutes(api, deps)
    uploadRoutes(api, deps)
    searchRoutes(api, deps)
    courseRoutes(api, deps)
    moderationRoutes(api, deps)
    administrationRoutes(api, deps)
  })
  if (deps.outbox) await app.register(outboxRoutes, { outbox: deps.outbox })
  await registerWebApp(app, config)
}
