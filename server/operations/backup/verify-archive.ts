import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { formats, type NamedFile } from './format.ts'
import { type ReadOptions, RestoreError, type Summary, summarise, visitArchive } from './read-archive.ts'

type VerifiedArchive = Summary & {
  /** The number of intact files. */
  whole: number
  /** Damaged files in the pool beside the archive. */
  corruptPoolFiles: NamedFile[]
}

/**
 * Reads a backup to its end and compares rows and files with their hashes.
 * @returns the result that a restore would have, with more details.
 * @throws RestoreError if nothing could be restored.
 */
export async function verifyArchive(input: Readable, options: ReadOptions): Promise<VerifiedArchive> {
  const rows = new Map<string, Hash>()
  const content = await visitArchive(input, options, async () => ({
    visitRows: (table, part) => void rows.set(table, (rows.get(table) ?? createHash('sha256')).update(part)),
    async visitFile({ sha256 }, file) {
      const hash = createHash('sha256')
      for await (const chunk of file) hash.update(chunk)
      return hash.digest('hex') === sha256
    },
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
