import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

/**
 * What a mailed link carries, or null. It leaves the address bar as soon as it is read, and with it the history and
 * what a picture of the screen would show; the entry's state keeps it, so that the page survives a reload.
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
