import type { ZodMiniObject, ZodMiniType, z } from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Role } from './roles.ts'

export type Schema<Output = unknown, Input = unknown> = ZodMiniType<Output, Input>
/** A schema, or what fetches it: pages that begin without zod call these endpoints before its rules are there. */
export type Shape = Schema | (() => Promise<Schema>)
/** An answer in bytes of a media type, and one without a body; what they mean. */
export type FileAnswer = { file: string; meaning: string }
type EmptyAnswer = { empty: true; meaning: string }

/** One call of the API. The server registers by it and the pages call by it; nobody else writes the address. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for each parameter. */
  path: `/${string}`
  tag: string
  summary: string
  description?: string
  /** Everybody may call it. What does not say so is for who is signed in. */
  public?: true
  /** To whoever has not this role there is nothing at its address. */
  role?: Exclude<Role, 'student'>
  /** Suspended students may call it, too. What does not say so is closed to them. */
  whileSuspended?: true
  params?: Shape
  query?: Shape
  body?: Shape
  /** A multipart form: its text parts, and the name that its files come under. */
  form?: { fields: ZodMiniObject; files: string }
  /** By status. The first is the one of a success. */
  answers: { [status: number]: Shape | FileAnswer | EmptyAnswer }
  /** What it may be refused for, besides what any call may. */
  refusals: readonly ErrorCode[]
}

export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint

/**
 * Names one schema of a module that is loaded when first asked for. Pages may import such a module in no other way:
 * the build would make two parts of it, and refuses to.
 */
export function lazily<Module>(load: () => Promise<Module>) {
  return <Name extends keyof Module>(name: Name) =>
    async () =>
      (await load())[name]
}

/** All that it says it may be refused for. */
export const refusalsOf = ({ refusals, public: isPublic, whileSuspended }: Endpoint): readonly ErrorCode[] =>
  isPublic || whileSuspended ? refusals : [...refusals, 'account_suspended']

/** The schema itself, fetched where it has to be. */
export const loadShape = async (shape: Shape): Promise<Schema> => (typeof shape === 'function' ? shape() : shape)

type SchemaOf<S> = S extends () => Promise<infer Loaded> ? Loaded : S
type Read<S> = S extends () => Promise<infer Loaded> ? Output<Loaded> : S extends FileAnswer ? FileAnswer : Output<S>
type Output<S> = S extends Schema ? z.output<S> : null
type Written<S> = SchemaOf<S> extends Schema ? z.input<SchemaOf<S>> : undefined
type Part<E extends Endpoint, Name extends keyof Endpoint> = E extends Record<Name, infer S> ? S : undefined

/** What the server finds in a request that fits. */
export type Received<E extends Endpoint> = {
  params: Read<Part<E, 'params'>>
  query: Read<Part<E, 'query'>>
  body: Read<Part<E, 'body'>>
}
export type ParamsInput<E extends Endpoint> = Written<Part<E, 'params'>>
export type BodyInput<E extends Endpoint> = Written<Part<E, 'body'>>

type Success = 200 | 201 | 204
/** What a success says. */
export type AnswerOf<E extends Endpoint> = Read<E['answers'][keyof E['answers'] & Success]>
