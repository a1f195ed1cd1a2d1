import { emailOf, password, studentCount } from './fill.ts'
import type { Call } from './load.ts'

/** Headers of the requests of each student. */
export type Students = { authorization: string }[]

export async function logIn(origin: string, student: number) {
  const response = await fetch(`${origin}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: emailOf(student), password }),
  })
  if (!response.ok) throw new Error(`The login was refused: ${await response.text()}`)
  const { accessToken } = (await response.json()) as { accessToken: string }
  return { authorization: `Bearer ${accessToken}` }
}

export async function logInAll(origin: string): Promise<Students> {
  const students: Students = []
  for (let student = 0; student < studentCount; student++) students.push(await logIn(origin, student))
  return students
}

/** The requests in turn, each by the next student: the server lets each account wait for itself. */
export function inTurn(calls: Call[], students: Students): () => Call {
  let turn = 0
  return () => {
    const call = calls[turn % calls.length] as Call
    return { ...call, headers: { ...call.headers, ...students[turn++ % students.length] } }
  }
}

/** @throws when the server refuses. */
export async function getJson<T>(origin: string, { path, headers }: Call): Promise<T> {
  const response = await fetch(origin + path, { ...(headers && { headers }) })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}
