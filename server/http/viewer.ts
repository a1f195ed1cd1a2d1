import type { Role } from '../../contract/roles.ts'

/** Who asks. */
export type Viewer = { id: string; role: Role }
