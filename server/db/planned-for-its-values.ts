import { sql } from 'kysely'

/** In a statement whose plan depends on what is sought: it is not prepared. */
export const plannedForItsValues = sql.raw('/* planned for its values */')
export const isPlannedForItsValues = (text: string) => text.includes('/* planned for its values */')

/** In a statement of `readWithin` whose plan is the same whatever is sought: it is prepared. */
export const plannedForAll = sql.raw('/* planned for all values */')
export const isPlannedForAll = (text: string) => text.includes('/* planned for all values */')
