import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * One line for each answer. It leaves out the query, where mailed links carry their tokens, and who asked, so that
 * the log ties no person to an anonymous note.
 */
export async function logResponse(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const path = request.url.split('?', 1)[0]
  request.log.info({ ms: Math.round(reply.elapsedTime) }, `${request.method} ${path} ${reply.statusCode}`)
}
