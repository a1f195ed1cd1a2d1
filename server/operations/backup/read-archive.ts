import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import tar from 'tar-stream'
import { z } from 'zod'
import { version } from '../../platform/db/version.ts'
import { describeError } from '../../platform/observability/log.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import {
  type End,
  end,
  fileName,
  formats,
  hashContent,
  type Manifest,
  type MemberName,
  manifest,
  type NamedFile,
  readFileName,
  readMemberName,
  untilUnreadable,
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

const invalidArchiveError = () => new RestoreError(`${notAnArchive}.`)

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

const missingFilePoolError = () =>
  new RestoreError('The files of this backup are in the folder "kept" beside it, which is missing. Copy it as well.')

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

export type ReadOptions = {
  /** The files beside the archive; null if there are none. */
  kept: FileStorage | null
  signal: AbortSignal
  onProgress(files: number, total: number): void
}

type Visitor = {
  /** The parts of one table follow one another. */
  visitRows(table: string, part: Buffer): void | Promise<void>
  /** @returns whether the file is intact. */
  visitFile(file: NamedFile, content: Readable): Promise<boolean>
  finish(end: End): Promise<void>
}

type ArchiveContent = {
  manifest: Manifest
  end: End
  /** The number of files, without missing ones. */
  files: number
  /** Keys of files that the archive or the pool beside it lacks. */
  missing: string[]
  damaged: NamedFile[]
}

/**
 * Reads an archive to its end, with its files in the pool.
 * @param open gets the manifest, which comes before everything else.
 * @throws RestoreError if nothing of it could be restored.
 */
export async function visitArchive(
  input: Readable,
  { kept, signal, onProgress }: ReadOptions,
  open: (manifest: Manifest) => Promise<Visitor>,
): Promise<ArchiveContent> {
  let found: Manifest | null = null
  let visitor: Visitor | null = null
  let ended: End | null = null
  let count = 0
  const missing: string[] = []
  const damaged: NamedFile[] = []
  const visit = async (file: NamedFile, content: Readable | null) => {
    if (!content) missing.push(file.key)
    else if (!(await visitor?.visitFile(file, content))) damaged.push(file)
    onProgress(++count, found?.files ?? 0)
  }
  for await (const { content, ...member } of readArchive(input, signal)) {
    if (member.kind === 'manifest') {
      found = await readManifest(content)
      visitor = await open(found)
    } else if (member.kind === 'table') {
      const { table } = member
      const part = await decompress(await buffer(content)).catch((error) => {
        throw new RestoreError(`The backup is damaged: rows of ${table} can’t be read (${error.message}).`, {
          cause: error,
        })
      })
      await visitor?.visitRows(table, part)
    } else if (member.kind === 'file') await visit(member, content)
    else if (member.kind === 'list') {
      if (!kept) throw missingFilePoolError()
      for (const file of await readList(content)) {
        signal.throwIfAborted()
        const stored = await kept.get(fileName(file.key, file.sha256))
        await visit(file, stored && Readable.from(untilUnreadable(stored)))
      }
    } else ended = await readJson(end, content)
  }
  if (!found || !visitor || !ended || count !== ended.files) throw invalidArchiveError()
  await visitor.finish(ended)
  return { manifest: found, end: ended, files: count - missing.length, missing, damaged }
}

export type Summary = Pick<End, 'files' | 'missing' | 'damaged'> & { madeAt: string }

/** Returns what a restore reports: also what the backup lacked when it was made. */
export const summarise = ({ manifest, end, files, missing, damaged }: ArchiveContent): Summary => ({
  madeAt: manifest.madeAt,
  files,
  missing: [...end.missing, ...missing],
  damaged: [...new Set([...end.damaged, ...damaged.map(({ key }) => key)])],
})

/**
 * Reads a backup to its end and compares rows and files with their hashes.
 * @returns the result that a restore would have, with the number of intact files and the damaged ones in the pool beside
 *   the archive.
 * @throws RestoreError if nothing could be restored.
 */
export async function verifyArchive(input: Readable, options: ReadOptions) {
  const rows = new Map<string, Hash>()
  const content = await visitArchive(input, options, async () => ({
    visitRows: (table, part) => void rows.set(table, (rows.get(table) ?? createHash('sha256')).update(part)),
    visitFile: async ({ sha256 }, file) => (await hashContent(file)).toString('hex') === sha256,
    async finish({ tables }) {
      for (const { name, sha256 } of tables) {
        const hash = rows.get(name) ?? createHash('sha256')
        if (hash.digest('hex') !== sha256)
          throw new RestoreError(`The backup is damaged: rows of ${name} don’t match their hash.`)
      }
    },
  }))
  const { manifest, files, damaged } = content
  return {
    ...summarise(content),
    whole: files - damaged.length,
    corruptPoolFiles: manifest.format === formats.inFolder ? damaged : [],
  }
}

/** Why a restore is refused or an archive is invalid; for the operator. */
export class RestoreError extends Error {
  override name = 'RestoreError'
}
