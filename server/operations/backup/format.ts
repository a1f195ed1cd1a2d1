import { z } from 'zod'

/** Numbers of the archive formats, which README.md describes. */
export const formats = {
  /** The rows, then the files. */
  whole: 1,
  /** Lists of the files that the pool beside it keeps for many archives, then the rows. */
  inFolder: 2,
}
export const manifestName = 'lectern-backup.json'
export const endName = 'end.json'

const sqlFile = z.object({ name: z.string(), sha256: z.string() })

/** The first member, which a restore needs before anything else. */
export const manifest = z.object({
  format: z.int(),
  lectern: z.string(),
  madeAt: z.iso.datetime(),
  /** The SQL files that created the tables. */
  schema: z.array(sqlFile).min(1),
  /** Sorted so that every row comes after the rows that it refers to. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  /** The expected number, only to show the progress of a restore. */
  files: z.int(),
})
export type Manifest = z.infer<typeof manifest>

/** The last member; without it the archive is truncated. */
export const end = z.object({
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256: z.string() })),
  files: z.int(),
  /** Keys of files that the storage did not have, and of files whose hash was not the document's. */
  missing: z.array(z.string()),
  damaged: z.array(z.string()),
})
export type End = z.infer<typeof end>

export const tableMember = (table: string, part: number) => `database/${table}/${String(part).padStart(6, '0')}.copy.gz`
export const listMember = (part: number) => `files/${String(part).padStart(6, '0')}.list.gz`
/** The name of a file in an archive, in a list and in the pool. */
export const fileName = (key: string, sha256: string) => `${key}-${sha256}`
export const fileMember = (key: string, sha256: string) => `files/${fileName(key, sha256)}`

export type NamedFile = { key: string; sha256: string }
export type MemberName =
  | { kind: 'manifest' | 'end' | 'list' }
  | { kind: 'table'; table: string }
  | ({ kind: 'file' } & NamedFile)

/** Returns null if the name is not that of a file. */
export function readFileName(name: string): NamedFile | null {
  const [, key, sha256] = /^([0-9a-f]{32})-([0-9a-f]{64})$/.exec(name) ?? []
  return key && sha256 ? { key, sha256 } : null
}

/** Returns null if no archive of this format has such a member. */
export function readMemberName(name: string): MemberName | null {
  if (name === manifestName) return { kind: 'manifest' }
  if (name === endName) return { kind: 'end' }
  const [, table] = /^database\/([a-z_]+)\/\d{6,}\.copy\.gz$/.exec(name) ?? []
  if (table) return { kind: 'table', table }
  if (/^files\/\d{6,}\.list\.gz$/.test(name)) return { kind: 'list' }
  const file = name.startsWith('files/') ? readFileName(name.slice('files/'.length)) : null
  return file && { kind: 'file', ...file }
}
