import { sql } from 'kysely'

/** In a statement whose plan depends on what is sought: it is not prepared. */
export const plannedForItsValues = sql.raw('/* planned for its values */')
export const isPlannedForItsValues = (text: string) => text.includes('/* planned for its values */')
