import { connect, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate as readPending } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ClamdAddress } from '../../../config.ts'
import { waitForChunkSlot } from '../../../platform/storage/spool.ts'

/** `unscannable`: clamd did not scan the whole file, and a retry would give the same result. */
export type ScanResult =
  | { kind: 'clean' }
  | { kind: 'infected'; signature: string }
  | { kind: 'unscannable'; why: string }

/** Thrown without a scan result: clamd does not answer, or its answer is invalid. */
export class ClamdUnavailableError extends Error {
  override name = 'ClamdUnavailableError'
}

const connectMs = 5_000
const questionMs = 5_000
/** The timeout is longer than clamd's MaxScanTime of two minutes, after which clamd itself reports the file. */
const scanMs = 150_000
/**
 * Clamd closes the connection when it rejects a large file, and a write after that loses its reply. The pause between
 * chunks lets the reply arrive.
 */
const pauseMs = 1
const maxReplyLength = 10_000

/** Streams a file to clamd while it is read. @throws ClamdUnavailableError, the signal's reason */
export async function scanWithClamd(
  address: ClamdAddress,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<ScanResult> {
  async function* stream() {
    yield 'zINSTREAM\0'
    for await (const chunk of content) {
      await waitForChunkSlot()
      await pause(pauseMs)
      // On a busy machine the pause ends before the event loop has read the reply.
      await readPending()
      yield withLength(chunk)
    }
    yield withLength(Buffer.alloc(0))
  }
  return readVerdict(await sendCommand(address, stream(), scanMs, signal))
}

/** @returns the version line, such as `ClamAV 1.4.6/27812/Sun Nov 22 09:25:13 2026`. @throws ClamdUnavailableError */
export function getClamdVersion(address: ClamdAddress): Promise<string> {
  return sendCommand(address, ['zVERSION\0'], questionMs, new AbortController().signal)
}

/** The version line ends with the date of the signatures. @returns NaN if it has no date. */
export const ageOfSignaturesMs = (version: string): number => Date.now() - Date.parse(version.split('/')[2] ?? '')

function readVerdict(reply: string): ScanResult {
  const [, signature] = /^stream: (.+) FOUND$/.exec(reply) ?? []
  if (signature?.startsWith('Heuristics.Limits.Exceeded')) return { kind: 'unscannable', why: signature }
  if (signature) return { kind: 'infected', signature }
  if (reply === 'stream: OK') return { kind: 'clean' }
  if (reply.startsWith('INSTREAM size limit exceeded')) return { kind: 'unscannable', why: reply }
  throw new ClamdUnavailableError(`clamd answered: ${reply}`)
}

/** Sends one command on its own connection and returns the reply; clamd closes the connection. */
async function sendCommand(
  address: ClamdAddress,
  question: Iterable<string> | AsyncIterable<string | Buffer>,
  timeoutMs: number,
  givenUp: AbortSignal,
): Promise<string> {
  givenUp.throwIfAborted()
  const signal = AbortSignal.any([givenUp, AbortSignal.timeout(timeoutMs)])
  const socket = connect(address)
  const end = () => socket.destroy(new Error('The request timed out'))
  const late = setTimeout(end, connectMs)
  socket.once('connect', () => clearTimeout(late))
  signal.addEventListener('abort', end)
  const reply = readReply(socket)
  const sent = send(socket, question).catch((error) => void socket.destroy(error))
  try {
    return await reply
  } catch (error) {
    givenUp.throwIfAborted()
    throw new ClamdUnavailableError(`clamd isn’t responding: ${(error as Error).message}`, { cause: error })
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', end)
    socket.destroy()
    await sent
  }
}

async function send(socket: Socket, parts: Iterable<string> | AsyncIterable<string | Buffer>): Promise<void> {
  const write = promisify((part: string | Buffer, done: (error?: Error | null) => void) => socket.write(part, done))
  for await (const part of parts) await write(part)
}

function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ''
    socket.on('data', (part) => {
      reply += part
      if (reply.includes('\0')) resolve(reply.slice(0, reply.indexOf('\0')))
      else if (reply.length > maxReplyLength) reject(new Error('The reply is too long'))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The connection was closed')))
  })
}

function withLength(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(chunk.length)
  return Buffer.concat([length, chunk])
}
