import type { LightMyRequestResponse } from 'fastify'

/** Returns everything of a response that a client can see, except its date. */
export function toComparable({ statusCode, headers, body }: LightMyRequestResponse) {
  const { date: _date, ...rest } = headers
  return { statusCode, headers: rest, body }
}
