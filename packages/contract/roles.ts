/** From the least on: each may do what those before it may. */
export const roles = ['student', 'moderator', 'admin'] as const
export type Role = (typeof roles)[number]

/** Whether somebody may do what is for a role. */
export const hasRole = (given: Role, wanted: Role) => roles.indexOf(given) >= roles.indexOf(wanted)
