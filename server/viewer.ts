import type { Role } from '../contract/roles.ts'
import { nilId } from './nil-id.ts'

/** Who asks. */
export type Viewer = { id: string; role: Role }

/** Whoever asks without an account: nothing is theirs. */
export const withoutAccount = (role: Role): Viewer => ({ id: nilId, role })

/** To whom nothing belongs. */
export const nobody = withoutAccount('student')
