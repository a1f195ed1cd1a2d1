import { z } from 'zod'
import { type Endpoint, loadSchema, type SchemaSource } from '../../../packages/contract/endpoint.ts'
import { endpoints } from '../../../packages/contract/endpoints.ts'

/** The parts of a JSON Schema that the generators use. */
export type Shaped = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Shaped[]
  properties?: Record<string, Shaped>
  items?: Shaped
  format?: string
  pattern?: string
}
/** An endpoint with its input: the fields of each part of a request. */
export type Known = {
  name: string
  endpoint: Endpoint
  params: Record<string, Shaped>
  query: Record<string, Shaped>
  body: Shaped | null
  form: Record<string, Shaped> | null
}

/** Returns every endpoint of the contract. */
export const findEndpoints = (): Promise<Known[]> => Promise.all(Object.values(endpoints).map(know))

async function know(endpoint: Endpoint): Promise<Known> {
  return {
    name: `${endpoint.method} ${endpoint.path}`,
    endpoint,
    params: await fieldsOf(endpoint.params),
    query: await fieldsOf(endpoint.query),
    body: endpoint.body ? await describe(endpoint.body) : null,
    form: endpoint.multipart ? ((await describe(endpoint.multipart.fields)).properties ?? {}) : null,
  }
}

const describe = async (shape: SchemaSource) =>
  z.toJSONSchema((await loadSchema(shape)) as z.core.$ZodType, { io: 'input', unrepresentable: 'any' }) as Shaped

const fieldsOf = async (shape: SchemaSource | undefined) => (shape ? ((await describe(shape)).properties ?? {}) : {})
