import { createHash, randomBytes } from 'node:crypto'

/** The secret of a mailed link: 32 random bytes in base64url. */
export const newToken = () => randomBytes(32).toString('base64url')

/** What is stored of a token. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest()
