import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

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
