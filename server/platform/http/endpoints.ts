import compileJson from 'fast-json-stringify'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySerializerCompiler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteShorthandOptions,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
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
import { type ErrorCode, errors } from '../../../packages/contract/errors.ts'
import type { Viewer } from '../db/viewer.ts'

/** A Fastify instance whose routes take their types from the contract's schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

declare module 'fastify' {
  interface FastifyInstance {
    /** True once requests in progress have had their time to finish and are cut off. */
    isEnding?: boolean
  }
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

/** The body of the successful response; nothing if it is empty, or if the handler has sent the reply itself. */
type Answer<E extends Endpoint> =
  ResponseBody<E> extends null ? Promise<void> : Promise<Exclude<ResponseBody<E>, FileResponse> | FastifyReply>

type Handler<E extends Endpoint> = (request: ReceivedBy<E>, reply: FastifyReply) => Answer<E>

/** For endpoints with `takesLargeBody`. */
const largeBodyLimitBytes = 4 * 2 ** 20

/** Registers an endpoint of the contract: its path, its schemas, and whether it is public. */
export function registerEndpoint<E extends Endpoint>(
  app: App,
  endpoint: E,
  handler: Handler<E>,
  options: Pick<RouteShorthandOptions, 'logLevel'> = {},
): void {
  const { method, path, multipart } = endpoint
  app.register(async (scope: App) => {
    if (!endpoint.body && !multipart) ignoreBodies(scope)
    scope.route({
      ...options,
      ...(endpoint.takesLargeBody && { bodyLimit: largeBodyLimitBytes }),
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
      async handler(request, reply) {
        const answer = await handler(request as ReceivedBy<E>, reply.status(successOf(endpoint)))
        // A reply that the handler returned was awaited until it was sent.
        if (!reply.sent) return answer ?? null
      },
    })
  })
}

const operationIds = new Map(Object.entries(endpoints).map(([name, endpoint]) => [endpoint, name]))

const conditions = z.looseObject({
  'if-match': z.optional(z.string()).describe('Versions (ETags). If none of them is the latest, nothing is written.'),
})

const successOf = ({ responses }: Endpoint) => Number(Object.keys(responses)[0])

async function describe(endpoint: Endpoint) {
  const { tag, summary, role, params, query, body, responses } = endpoint
  const description = [role && `For ${role}s.`, endpoint.description].filter(Boolean).join(' ')
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

/** The schema of a file's bytes in API descriptions. */
const binary = z.string().meta({ format: 'binary' })

/** Returns the error responses by status, for a route's `schema.response`. */
function refusals(codes: readonly ErrorCode[]): Record<number, z.ZodType> {
  const byStatus = Map.groupBy(codes, (code) => errors[code].status)
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, errorBody(some)]))
}

/** Endpoints with the same error codes share a schema, because making one takes 0.1 ms. */
const errorBodies = new Map<string, z.ZodType>()

function errorBody(codes: ErrorCode[]): z.ZodType {
  const known = errorBodies.get(codes.join())
  if (known) return known
  const body = z
    .object({ message: z.string(), code: z.enum(codes), fields: z.record(z.string(), z.string()).optional() })
    .describe(codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'))
  errorBodies.set(codes.join(), body)
  return body
}

/**
 * Fastify's own serialiser writes responses from the JSON schemas of the contract: a field that is not in the schema is
 * never sent, and a missing one is an error. Zod's serialiser takes a third of the time of a list. Each schema is compiled
 * when it is first used, because a start would wait a quarter of a second for all of them.
 */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const serialise = serialisers.get(schema) ?? compileSerialiser(schema)
    return serialise(data)
  }

const serialisers = new WeakMap<z.ZodType, ReturnType<typeof compileJson>>()

function compileSerialiser(schema: z.ZodType) {
  const jsonSchema = z.toJSONSchema(schema, { target: 'draft-7', override: joinNull })
  const serialise = compileJson(jsonSchema as compileJson.Schema)
  serialisers.set(schema, serialise)
  return serialise
}

/** Merges nullable types, because `anyOf` makes the serialiser validate each value to find its schema. */
export function joinNull({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const [of, none, ...others] = jsonSchema.anyOf ?? []
  if (of?.type === undefined || none?.type !== 'null' || others.length > 0) return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, of, { type: [of.type, 'null'], ...(of.enum && { enum: [...of.enum, null] }) })
}
