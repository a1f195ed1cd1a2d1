import type { LightMyRequestResponse } from 'fastify'

/** Everything of an answer that a client can see, except when it was given. */
export function toComparable({ statusCode, headers, body }: LightMyRequestResponse) {
  const { date: _date, ...rest } = headers
  return { statusCode, headers: rest, body }
}
