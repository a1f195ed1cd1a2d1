import type { FastifyReply } from 'fastify'
import { Failure } from '../failure.ts'

/** Aborts when the client goes away before it has been answered. The reason is answered to nobody, and is no error. */
export function givenUpSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const giveUp = () => gone.abort(new Failure('malformed_request'))
  if (reply.request.raw.socket.destroyed) giveUp()
  reply.raw.once('close', () => reply.raw.writableFinished || giveUp())
  return gone.signal
}
