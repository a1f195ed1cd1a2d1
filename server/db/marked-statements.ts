import { currentWork } from '../observe/work.ts'

/**
 * A statement that is sent without a name, with the id of what it is for behind it: so PostgreSQL's own log and
 * `pg_stat_activity` say it too. One with a name must not have it, or it would be another statement each time.
 */
export function markStatement(text: string): string {
  const work = currentWork()
  return work ? `${text} /*${work.kind}_id='${work.id}'*/` : text
}

/**
 * What a statement with a name says instead, and PostgreSQL logs as `execute NAME/PORTAL`. Portals end with their
 * transaction, and are counted there no further: only a statement that is alone has one by its id.
 */
export const portalOfWork = (): string => currentWork()?.id ?? ''
