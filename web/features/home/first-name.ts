/** Returns the first word of the name, or "User" if the name is empty (SPEC.md section 1). */
export const firstName = (name: string | undefined): string => name?.trim().split(/\s+/u)[0] || 'User'
