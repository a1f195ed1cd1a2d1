import { createHash, type Hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { End } from './format.ts'
import { RestoreError } from './read-archive.ts'
import { copyIn, type Table } from './tables.queries.ts'

type TableLoader = {
  /** Loads the next part of a table's rows; the parts of one table must follow one another. */
  load(table: string, part: Buffer): Promise<void>
  /** Call this before anything other than rows; repeated calls have no effect. */
  finishTable(): Promise<void>
  /** Call this after the last part. @throws RestoreError if the loaded rows differ from the written ones. */
  finish(written: End['tables']): Promise<void>
}

type Loading = {
  name: string
  hash: Hash
  stream: Writable & { rowCount: number }
  /** Rejects when PostgreSQL refuses a row, because the stream itself would then never end. */
  refused: Promise<never>
}

export function createTableLoader(
  client: pg.Client,
  tables: Table[],
  onProgress: (done: number, total: number) => void,
): TableLoader {
  const loaded = new Map<string, { rows: number; sha256: string }>()
  let current: Loading | null = null

  async function finishTable(): Promise<void> {
    if (!current) return
    const { name, stream, hash, refused } = current
    current = null
    stream.end()
    await Promise.race([finished(stream), refused])
    loaded.set(name, { rows: stream.rowCount, sha256: hash.digest('hex') })
    onProgress(loaded.size, tables.length)
  }

  function begin(name: string): Loading {
    const table = tables.find((one) => one.name === name)
    if (!table || loaded.has(name)) throw new RestoreError(`The backup contains unexpected rows of "${name}".`)
    const stream = client.query(copyFrom(copyIn(table)))
    const refused = new Promise<never>((_, reject) => {
      stream.once('error', (error) => {
        reject(
          new RestoreError(`The backup is damaged: rows of ${name} don’t match the schema (${error.message}).`, {
            cause: error,
          }),
        )
      })
    })
    refused.catch(() => {})
    return { name, stream, refused, hash: createHash('sha256') }
  }

  return {
    async load(name, part) {
      if (current?.name !== name) await finishTable()
      current ??= begin(name)
      const { stream, hash, refused } = current
      hash.update(part)
      const taken = new Promise<void>((resolve, reject) => {
        stream.write(part, (error) => (error ? reject(error) : resolve()))
      })
      await Promise.race([taken, refused])
    },

    finishTable,

    async finish(written) {
      await finishTable()
      const nothing = { rows: 0, sha256: createHash('sha256').digest('hex') }
      for (const { name } of tables) {
        const [here, there] = [loaded.get(name) ?? nothing, written.find((one) => one.name === name)]
        if (here.rows !== there?.rows || here.sha256 !== there.sha256) {
          throw new RestoreError(`The backup is damaged: rows of ${name} don’t match their hash.`)
        }
      }
    },
  }
}
