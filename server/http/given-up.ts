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

/** Rejects with the signal's reason. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
