import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { z } from 'zod'
import {
  type Endpoint,
  type FileResponse,
  getErrorCodes,
  growsStorage,
  loadSchema,
  type RequestData,
  type ResponseBody,
} from '../../../packages/contract/endpoint.ts'
import { endpoints } from '../../../packages/contract/endpoints.ts'
import type { Viewer } from '../db/viewer.ts'
import type { App } from './app-type.ts'
import { binary, refusals } from './schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The multipart form, for the API description only: its parts are validated as they arrive. */
    form?: z.ZodType
    /** The server refuses this route while the disk is almost full. */
    growsStorage?: true
  }
}

type ReceivedBy<E extends Endpoint> = FastifyRequest &
  RequestData<E> &
  (E extends { public: true } ? { viewer: null; sessionId: null } : { viewer: Viewer; sessionId: string })

/** Resolves to the body of the successful response, unless the handler has sent the reply itself. */
type Handler<E extends Endpoint> = (
  request: ReceivedBy<E>,
  reply: FastifyReply,
) => Promise<Exclude<ResponseBody<E>, FileResponse> | FastifyReply>

type Options = Pick<RouteShorthandOptions, 'bodyLimit' | 'logLevel'>

/** Registers an endpoint of the contract: its path, its schemas, and whether it is public. */
export function registerEndpoint<E extends Endpoint>(
  app: App,
  endpoint: E,
  handler: Handler<E>,
  options: Options = {},
): void {
  const { method, path, multipart } = endpoint
  app.register(async (scope: App) => {
    if (!endpoint.body && !multipart) ignoreBodies(scope)
    scope.route({
      ...options,
      method,
      url: path,
      config: {
        ...(endpoint.public && { public: true }),
        ...(endpoint.role && { role: endpoint.role }),
        ...(endpoint.allowSuspended && { whileSuspended: true }),
        ...(growsStorage(endpoint) && { growsStorage: true }),
        ...(multipart && {
          form: z.object({ ...multipart.fields.shape, [multipart.files]: z.array(binary).describe('The files') }),
        }),
      },
      schema: await describe(endpoint),
      handler: (request, reply) => handler(request as ReceivedBy<E>, reply.status(successOf(endpoint))),
    })
  })
}

const operationIds = new Map(Object.entries(endpoints).map(([name, endpoint]) => [endpoint, name]))

const conditions = z.looseObject({
  'if-match': z.optional(z.string()).describe('Versions (ETags). If none of them is the latest, nothing is written.'),
})

const successOf = ({ responses }: Endpoint) => Number(Object.keys(responses)[0])

async function describe(endpoint: Endpoint) {
  const { tag, summary, description, params, query, body, responses } = endpoint
  const response = Object.entries(responses).map(async ([status, answer]) => [status, await describeAnswer(answer)])
  return {
    operationId: operationIds.get(endpoint),
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(params && { params: await loadSchema(params) }),
    ...(query && { querystring: await loadSchema(query) }),
    ...(body && { body: await loadSchema(body) }),
    ...(endpoint.ifMatch && { headers: conditions }),
    ...(endpoint.multipart && { consumes: ['multipart/form-data'] }),
    security: endpoint.public ? [] : [{ accessToken: [] }],
    response: { ...Object.fromEntries(await Promise.all(response)), ...refusals(getErrorCodes(endpoint)) },
  }
}

function describeAnswer(answer: Endpoint['responses'][number]) {
  if ('file' in answer) return { description: answer.description, content: { [answer.file]: { schema: binary } } }
  if ('empty' in answer) return z.null().describe(answer.description)
  return loadSchema(answer)
}

/** Many clients send a JSON content type without a body, and an empty body is not valid JSON. */
function ignoreBodies(app: App): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, _body, done) => done(null))
}

/**
 * For routes whose own rules report best what is too long: a password of a megabyte is refused as a password, and a
 * list of 100,000 ids as a list, instead of as a body. Validating that much takes milliseconds.
 */
export const largeBodyLimitBytes = 4 * 2 ** 20
