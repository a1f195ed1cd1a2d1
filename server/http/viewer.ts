/** Who asks. */
export type Viewer = { id: string; role: 'student' | 'moderator' | 'admin' }
