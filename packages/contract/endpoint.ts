import type { ZodMiniObject, ZodMiniType, z } from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Role } from './roles.ts'

export type Schema<Output = unknown, Input = unknown> = ZodMiniType<Output, Input>
/** A schema, or a function that loads it: some pages start without zod and call the endpoint before it is loaded. */
export type SchemaSource = Schema | (() => Promise<Schema>)
/** A response with bytes of a media type, and one without a body. `description` says what the response means. */
export type FileResponse = { file: string; description: string }
type EmptyResponse = { empty: true; description: string }

/** An endpoint of the API. The server registers it and the pages call it by this value, so its path is written once. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for each parameter. */
  path: `/${string}`
  tag: string
  summary: string
  description?: string
  /** Whether it can be called without a login. */
  public?: true
  /** The required role. Users without it get 404, so that the endpoint is not revealed. */
  role?: Exclude<Role, 'student'>
  /** Suspended students can call it. */
  allowSuspended?: true
  /**
   * Works while the disk is almost full, although it writes a little. Endpoints that only read or delete always work.
   */
  whileFull?: true
  params?: SchemaSource
  query?: SchemaSource
  body?: SchemaSource
  /**
   * Its own rules report best what is too long: a password of a megabyte is refused as a password, and a list of
   * 100,000 ids as a list, instead of as a body. Validating that much takes milliseconds.
   */
  takesLargeBody?: true
  /** Accepts If-Match with the version that was read, and overwrites no other version. */
  ifMatch?: true
  /** A multipart form: its text parts, and the name of its file parts. */
  multipart?: { fields: ZodMiniObject; files: string }
  /** The responses by status. The first is the response to a success. */
  responses: { [status: number]: SchemaSource | FileResponse | EmptyResponse }
  /** The error codes of only this endpoint; `getErrorCodes` adds those of every endpoint of its kind. */
  errorCodes?: readonly ErrorCode[]
}

type Route = Pick<Endpoint, 'method' | 'path'>

/** Returns a function that defines endpoints under a heading of the API description. */
export const endpointsOf =
  (tag: string) =>
  <
    const M extends Route['method'],
    const P extends Route['path'],
    const E extends Omit<Endpoint, 'method' | 'path' | 'tag'>,
  >(
    method: M,
    path: P,
    endpoint: E,
  ) => ({ method, path, tag, ...endpoint })

/**
 * Refers to a schema of a module that is loaded on first use. Pages must not import such a module in any other way:
 * the build would split it into two chunks, and fails.
 */
export function lazySchemas<Module>(load: () => Promise<Module>) {
  return <Name extends keyof Module>(name: Name) =>
    async () =>
      (await load())[name]
}

/** Every error code that a call of the endpoint may return. */
export function getErrorCodes(endpoint: Endpoint): ErrorCode[] {
  const { params, query, body, multipart } = endpoint
  const codes: ErrorCode[] = [...(endpoint.errorCodes ?? []), 'malformed_request']
  if (params || query || body || multipart) codes.push('invalid_input')
  if (endpoint.method !== 'GET') codes.push('cross_site_request', 'body_too_large', 'unsupported_media_type')
  if (endpoint.ifMatch) codes.push('outdated')
  if (growsStorage(endpoint)) codes.push('storage_full')
  if (!endpoint.public) codes.push('unauthorized', 'rate_limited')
  if (!endpoint.public && !endpoint.allowSuspended) codes.push('account_suspended')
  if (endpoint.role) codes.push('not_found')
  return [...codes, 'unexpected', 'unavailable']
}

export const growsStorage = ({ method, whileFull }: Endpoint): boolean =>
  !whileFull && (method === 'POST' || method === 'PATCH')

/** Returns the schema, which is loaded if necessary. */
export const loadSchema = async (source: SchemaSource): Promise<Schema> =>
  typeof source === 'function' ? source() : source

type SchemaOf<S> = S extends () => Promise<infer Loaded> ? Loaded : S
type Read<S> = S extends () => Promise<infer Loaded>
  ? Output<Loaded>
  : S extends FileResponse
    ? FileResponse
    : Output<S>
type Output<S> = S extends Schema ? z.output<S> : null
type Written<S> = SchemaOf<S> extends Schema ? z.input<SchemaOf<S>> : undefined
type Part<E extends Endpoint, Name extends keyof Endpoint> = E extends Record<Name, infer S> ? S : undefined

/** The validated parts of a request. */
export type RequestData<E extends Endpoint> = {
  params: Read<Part<E, 'params'>>
  query: Read<Part<E, 'query'>>
  body: Read<Part<E, 'body'>>
}
export type ParamsInput<E extends Endpoint> = Written<Part<E, 'params'>>
export type BodyInput<E extends Endpoint> = Written<Part<E, 'body'>>

type Success = 200 | 201 | 204
/** The body of the response to a success. */
export type ResponseBody<E extends Endpoint> = Read<E['responses'][keyof E['responses'] & Success]>
