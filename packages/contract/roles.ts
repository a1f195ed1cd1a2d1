/** In ascending order: each role includes the rights of those before it. */
export const roles = ['student', 'moderator', 'admin'] as const
export type Role = (typeof roles)[number]

/** Whether a role includes the rights of another. */
export const hasRole = (given: Role, wanted: Role) => roles.indexOf(given) >= roles.indexOf(wanted)
