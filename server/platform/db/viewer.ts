import type { Role } from '../../../packages/contract/roles.ts'

/** RFC 9562's Nil UUID: it belongs to no row, and no other id sorts before it. */
export const nilId = '00000000-0000-0000-0000-000000000000'

/** The user or anonymous visitor for whom a query runs. */
export type Viewer = { id: string; role: Role }

/** A viewer without an account, who owns no rows. */
export const createAnonymousViewer = (role: Role): Viewer => ({ id: nilId, role })

export const anonymousViewer = createAnonymousViewer('student')
