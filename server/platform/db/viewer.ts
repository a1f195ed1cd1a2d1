import type { Role } from '../../../packages/contract/roles.ts'

/** RFC 9562's Nil UUID: nobody and nothing has it, and no other id comes before it. */
export const nilId = '00000000-0000-0000-0000-000000000000'

/** Who asks. */
export type Viewer = { id: string; role: Role }

/** Whoever asks without an account: nothing is theirs. */
export const createAnonymousViewer = (role: Role): Viewer => ({ id: nilId, role })

/** To whom nothing belongs. */
export const anonymousViewer = createAnonymousViewer('student')
