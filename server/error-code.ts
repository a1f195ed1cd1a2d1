/** True for an error of Node, of PostgreSQL or of a library that carries this code. */
export const hasCode = (error: unknown, code: string): error is Error =>
  error instanceof Error && 'code' in error && error.code === code
