import { openPool } from '../platform/db/pool.ts'
import { getOrCreateSecret } from '../platform/db/secret.ts'
import { createUser, password, type TestApp, type TestUser } from './app.ts'
import { quietLog } from './log.ts'
import type { Instance } from './server-process.ts'

/** Sends a POST request as a program does, and returns the body of its successful response. */
export async function postTo({ url }: Pick<Instance, 'url'>, path: string, body: object | FormData, token?: string) {
  const isForm = body instanceof FormData
  const headers = { ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: isForm ? headers : { ...headers, 'content-type': 'application/json' },
    body: isForm ? body : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as { accessToken: string }
}

/** Registers and verifies a user. */
export async function registerAt(server: Instance, email: string): Promise<void> {
  await postTo(server, '/api/users/', { name: 'Ada', email, password, confirmPassword: password })
  const token = new URL(await server.readMailedLink(email)).searchParams.get('token')
  await postTo(server, '/api/users/verify', { token })
}

/** Creates users with sessions in the database of a server, which is quicker than registering them. */
export async function createUsersAt(server: Instance, count: number): Promise<TestUser[]> {
  const { pool, db } = openPool(await server.databaseUrl(), 1, quietLog)
  const deps = { db, secret: await getOrCreateSecret(server.dataDir) } as TestApp['deps']
  const users = await Promise.all(Array.from({ length: count }, () => createUser({ deps } as TestApp)))
  await pool.end()
  return users
}

/** Returns the form of an upload of one file. */
export function makeNoteForm(bytes: Buffer, isAnonymous = false): FormData {
  const form = new FormData()
  const fields = { courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: String(isAnonymous) }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('note', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'week 1.pdf')
  return form
}

/** @returns the access token. */
export const logInAt = async (server: Pick<Instance, 'url'>, email: string): Promise<string> =>
  (await postTo(server, '/api/users/login', { email, password })).accessToken
