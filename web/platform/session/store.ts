import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { register } from '../../../packages/contract/accounts.endpoints.ts'
import type { Credentials, Registration } from '../../../packages/contract/accounts.ts'
import type { User } from '../../../packages/contract/profile.ts'
import { logIn, logOut } from '../../../packages/contract/sessions.endpoints.ts'
import { type Api, api } from '../api/client.ts'

/** The user without lists of viewed and liked notes; `consumeLists` passes these to the note cache. */
export type SessionUser = Pick<User, '_id' | 'name' | 'email' | 'role' | 'leavesAt' | 'announcement' | 'suspension'>

/** SPEC.md section 3. The access token is kept by the API client, in memory only. */
export type SessionState = {
  user: SessionUser | null
  isLoading: boolean
  isError: boolean
  isSuccess: boolean
  /** Why the last register, login or logout failed; else empty. */
  message: string
}

type LoginAnswer = { accessToken: string; user: User }
export type AuthResult = { ok: true } | { ok: false; error: unknown }

const idle = { isLoading: false, isError: false, isSuccess: false, message: '' }
const pending = { ...idle, isLoading: true }
const fulfilled = { ...idle, isSuccess: true }
const rejected = (error: unknown) => ({ ...idle, isError: true, message: messageOfFailure(error) })

/** The state machine of SPEC.md section 4. Register, login and logout never throw; they return the result. */
export function createSession(client: Api) {
  const store = createStore<SessionState>(() => ({ user: null, ...idle }))
  const { getState, setState, subscribe } = store
  /** The last user response, until its lists are taken. */
  let pendingLists: User | null = null

  function studentOf(user: User): SessionUser {
    pendingLists = user
    const { recentlyViewedNotes, likedNotes, likedNotesDisplay, dislikedNotes, version, ...student } = user
    return student
  }

  async function settle<T>(
    asked: Promise<T>,
    succeed: (answer: T) => Partial<SessionState>,
    fail: (error: unknown) => Partial<SessionState>,
  ): Promise<AuthResult> {
    setState(pending)
    try {
      setState(succeed(await asked))
      return { ok: true }
    } catch (error) {
      setState(fail(error))
      return { ok: false, error }
    }
  }

  const session = {
    store,
    getState,
    subscribe,

    register: (input: Registration): Promise<AuthResult> =>
      settle(client.call(register, { body: input }), () => fulfilled, rejected),

    login: (input: Credentials): Promise<AuthResult> => session.enter(client.call(logIn, { body: input })),

    /** Completes a login of any kind. */
    enter: (asked: Promise<LoginAnswer>): Promise<AuthResult> =>
      settle(
        asked,
        (answer) => {
          client.setAccessToken(answer.accessToken)
          return { ...fulfilled, user: studentOf(answer.user) }
        },
        rejected,
      ),

    /** Signs out locally whatever the server answers. */
    logout(): Promise<AuthResult> {
      const signedOut = (state: Partial<SessionState>) => {
        client.setAccessToken(null)
        return { ...state, user: null }
      }
      return settle(
        client.call(logOut, { skipSessionExpiry: true }),
        () => signedOut(fulfilled),
        (error) => signedOut({ ...idle, message: messageOfFailure(error) }),
      )
    },

    /** Clears error, success, loading and message; the user stays. */
    reset: () => setState(idle),
    setUser: (user: User) => setState({ user: studentOf(user) }),
    changeUser: (change: Partial<Omit<SessionUser, '_id'>>) =>
      setState(({ user }) => ({ user: user && { ...user, ...change } })),
    clearUser: () => setState({ user: null }),
    setError: (isError: boolean) => setState({ isError }),

    /** Returns the lists of the last user response once; null after that. */
    consumeLists(): User | null {
      const lists = pendingLists
      pendingLists = null
      return lists !== null && lists._id === getState().user?._id ? lists : null
    },
  }

  // Ignored after sign-out: late requests of the previous page report nothing new.
  client.onSessionLost(() => {
    if (getState().user !== null) setState({ user: null, isError: true })
  })
  return session
}

export const session = createSession(api)

/** Selects a part of the session's state: `useSession((state) => state.user)`. */
export function useSession<T>(selector: (state: SessionState) => T): T {
  return useStore(session.store, selector)
}

/** The user and whether they are suspended: a change of either changes the available pages. */
export const getSessionIdentity = ({ user }: SessionState): string | null =>
  user && `${user._id}${user.suspension ? ' suspended' : ''}`

/** Whether a user is signed in and not suspended. */
export const isActiveUser = ({ user }: SessionState): boolean => user !== null && !user.suspension

/** SPEC.md section 8: the response's message, else the error's own, else the error as text. */
const messageOfFailure = (error: unknown): string => (error instanceof Error && error.message) || String(error)
