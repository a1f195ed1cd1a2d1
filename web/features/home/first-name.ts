/** What the banner calls a student: the first word of the name, or "User" where there is none (SPEC.md section 1). */
export function firstName(name: string | undefined): string {
  return name?.trim().split(/\s+/u)[0] || 'User'
}
