import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import * as paths from '../../platform/paths.ts'
import { session, useSession } from '../../platform/session/store.ts'
import { readStored, store } from '../../platform/storage.ts'

/**
 * The page to open after a login that needs a mail first. The link in the mail opens in a new tab and carries only its
 * token, so this browser stores the page for as long as a verification link is valid.
 */
const storageKey = 'lectern-next'
const keptMs = 24 * 60 * 60_000

export const saveReturnTo = (next: string): void =>
  store(storageKey, next === paths.home() ? null : JSON.stringify({ next, until: Date.now() + keptMs }))

export function getReturnTo(): string {
  try {
    const { next, until } = JSON.parse(readStored(storageKey) ?? '{}')
    return until > Date.now() ? paths.safeNext(next, location.origin) : paths.home()
  } catch {
    return paths.home()
  }
}

/** For the end of a visit: the next student in this browser must neither be sent there nor be invited. */
export function clearVisitorState(): void {
  saveReturnTo(paths.home())
  saveInvitation(null)
}

/** The page to open after the login, from `?next=` or the home page. */
export function useReturnTo(): string {
  const [params] = useSearchParams()
  return paths.safeNext(params.get('next'), location.origin)
}

/** Leaves a visitor's page when a user signs in, here or in another tab, and clears the session's status. */
export function useRedirectIfSignedIn(to: string): void {
  const signedIn = useSession((state) => state.user !== null)
  const navigate = useNavigate()
  useEffect(() => {
    if (!signedIn) return
    session.reset()
    void navigate(to, { replace: true })
  }, [signedIn, to, navigate])
}

/**
 * The token of a mailed link, or null. It is removed from the address immediately, so that history and screenshots do
 * not show it; the history state keeps it for a reload.
 */
export function useTokenParam(parameter = 'token'): string | null {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const inAddress = new URLSearchParams(search).get(parameter)

  useEffect(() => {
    if (inAddress) void navigate(pathname, { replace: true, state: { token: inAddress } })
  }, [inAddress, pathname, navigate])

  return inAddress || ((state as { token?: string } | null)?.token ?? null)
}

const invitationKey = 'lectern-invitation'

/** Keeps the token of an invitation for this tab, because a visitor may look at other pages before registering. */
export const saveInvitation = (token: string | null): void => store(invitationKey, token, true)

/** The token of the invitation that this tab opened, or null. A displayed page keeps it after `saveInvitation(null)`. */
export function useInvitation(): string | null {
  const linked = useTokenParam('invitation')
  const [kept] = useState(() => readStored(invitationKey, true) ?? null)
  useEffect(() => {
    if (linked !== null) saveInvitation(linked)
  }, [linked])
  return linked ?? kept
}
