import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { pagesFolder } from './pages-folder.ts'

const keptDays = 30
const types: Record<string, string> = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' }

/**
 * Leaves this version's scripts and styles with the database, for servers of other versions beside this one, and for pages
 * that stay open beyond it.
 */
export async function sharePageParts(db: Db, folder = pagesFolder): Promise<void> {
  const assets = join(folder, 'assets')
  if (!existsSync(assets)) return
  const files = new Set(await readdir(assets))
  // The build leaves what is tiny as it is.
  const read = async (name: string) =>
    files.has(`${name}.br`)
      ? readFile(join(assets, `${name}.br`))
      : promisify(brotliCompress)(await readFile(join(assets, name)))
  // In one order, in which servers that start at once wait for one another.
  const names = [...files].filter((name) => types[extname(name)]).sort()
  await sql`DELETE FROM page_parts WHERE superseded_at < now() - ${keptDays} * interval '1 day'`.execute(db)
  await sql`
    UPDATE page_parts SET superseded_at = CASE WHEN name = ANY(${names}::text[]) THEN NULL ELSE now() END
     WHERE (superseded_at IS NULL) <> (name = ANY(${names}::text[]))`.execute(db)
  const { rows } = await sql<{ name: string }>`SELECT name FROM page_parts WHERE name = ANY(${names}::text[])`.execute(
    db,
  )
  const known = new Set(rows.map(({ name }) => name))
  const added = names.filter((name) => !known.has(name))
  if (added.length === 0) return
  const parts = await Promise.all(added.map(async (name) => ({ name, content: await read(name) })))
  await db
    .insertInto('page_parts')
    .values(parts)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Sends a script or style that this version does not have. @returns false where no version has it. */
export async function sendPartOfOthers(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const [, name = ''] = /^\/assets\/([\w.-]+)$/.exec(request.url) ?? []
  const type = types[extname(name)]
  if (!type || !['GET', 'HEAD'].includes(request.method)) return false
  const part = await db.selectFrom('page_parts').select('content').where('name', '=', name).executeTakeFirst()
  if (!part) return false
  const takesBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
  reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' }).type(type)
  if (takesBrotli) reply.header('content-encoding', 'br')
  reply.status(200).send(takesBrotli ? part.content : await promisify(brotliDecompress)(part.content))
  return true
}
