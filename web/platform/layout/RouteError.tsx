import { useEffect } from 'react'
import { useNavigate, useRouteError } from 'react-router'
import { ApiError, getErrorMessage } from '../api/client.ts'
import { useSession } from '../session/store.ts'
import { Button } from '../ui/Button.tsx'
import { CenteredPage } from './CenteredPage.tsx'

/**
 * Shown when a page cannot be loaded or rendered. After a connection failure it retries when the connection returns.
 */
export function RouteError() {
  const error = useRouteError()
  const navigate = useNavigate()
  const signedIn = useSession((state) => state.user !== null)
  const retry = () => (error instanceof ApiError ? void navigate(0) : location.reload())

  useEffect(() => {
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])

  // The session ended, and the login page follows.
  if (error instanceof ApiError && error.status === 401 && !signedIn) return null
  return (
    <CenteredPage drawing="broken" title="This page didn’t load" text={getErrorMessage(error, explain(error))}>
      <Button variant="primary" onClick={retry}>
        Try again
      </Button>
    </CenteredPage>
  )
}

const reload = () => location.reload()

function explain(error: unknown): string {
  if (!navigator.onLine) return 'You’re offline. We’ll load this page when you reconnect.'
  if (error instanceof ApiError && error.status === 0) return error.message
  return 'Something went wrong. Please try again later.'
}
