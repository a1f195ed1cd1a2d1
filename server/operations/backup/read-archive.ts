import { Readable } from 'node:stream'
import { buffer, json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import tar from 'tar-stream'
import { z } from 'zod'
import { version } from '../../platform/db/version.ts'
import { describeError } from '../../platform/observability/log.ts'
import {
  type End,
  end,
  formats,
  type Manifest,
  type MemberName,
  manifest,
  type NamedFile,
  readFileName,
  readMemberName,
} from './format.ts'

export type Member = MemberName & { content: Readable }

const notAnArchive = 'This isn’t a Lectern backup, or it is damaged or incomplete'
const decompress = promisify(gunzip)

/**
 * Yields the members of an archive in order, the manifest first and the end last. Each must be read before the next.
 * @throws RestoreError if it is no archive, or incomplete.
 */
export async function* readArchive(input: Readable, signal: AbortSignal): AsyncGenerator<Member> {
  const extract = tar.extract()
  // The iterator must exist before data is written, because it misses earlier errors.
  const entries = extract[Symbol.asyncIterator]()
  const read = pipeline(input, extract, { signal })
  read.catch(() => {})
  let last: MemberName['kind'] | null = null
  try {
    for await (const entry of { [Symbol.asyncIterator]: () => entries }) {
      const member = readMemberName(entry.header.name)
      if (!member || last === 'end' || (member.kind === 'manifest') !== (last === null)) throw invalidArchiveError()
      last = member.kind
      yield { ...member, content: Readable.from(explained(entry as AsyncIterable<Buffer>, signal)) }
    }
    await read
  } catch (error) {
    throw explain(error, signal)
  }
  if (last !== 'end') throw invalidArchiveError()
}

export const invalidArchiveError = () => new RestoreError(`${notAnArchive}.`)

async function* explained(content: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (error) {
    throw explain(error, signal)
  }
}

function explain(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof RestoreError) return error
  return new RestoreError(`${notAnArchive} (${describeError(error)}).`, { cause: error })
}

async function readJson<T>(schema: z.ZodType<T>, content: Readable): Promise<T> {
  const result = schema.safeParse(await json(content).catch(() => null))
  if (!result.success) throw invalidArchiveError()
  return result.data
}

/** @throws RestoreError also if the backup is complete but of a version with another format. */
export async function readManifest(content: Readable): Promise<Manifest> {
  const found = await readJson(z.looseObject({ lectern: z.string() }), content)
  const { success, data } = manifest.safeParse(found)
  if (!success || !Object.values(formats).includes(data.format)) throw otherSchema(found)
  return data
}

export const otherSchema = ({ lectern }: Pick<Manifest, 'lectern'>) =>
  new RestoreError(
    `The backup was created by Lectern ${lectern}, whose schema differs from Lectern ${version}. Restore it with Lectern ${lectern}.`,
  )

export const missingFilePoolError = () =>
  new RestoreError('The files of this backup are in the folder "kept" beside it, which is missing. Copy it as well.')

export const readEnd = (content: Readable): Promise<End> => readJson(end, content)

/** Returns the files of an archive that the pool keeps. */
export async function readList(content: Readable): Promise<NamedFile[]> {
  const text = await decompress(await buffer(content)).catch(() => {
    throw invalidArchiveError()
  })
  return text
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const file = readFileName(line)
      if (!file) throw invalidArchiveError()
      return file
    })
}

/** Why a restore is refused or an archive is invalid; for the operator. */
export class RestoreError extends Error {
  override name = 'RestoreError'
}
