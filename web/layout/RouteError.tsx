import { useEffect } from 'react'
import { useNavigate, useRouteError } from 'react-router'
import { ApiError, messageOf } from '../api/client.ts'
import { useSession } from '../session/store.ts'
import { Button } from '../ui/Button.tsx'
import { Drawing } from '../ui/Drawing.tsx'
import './route-error.css'
import { SinglePage } from './SinglePage.tsx'
import './single-page.css'

/** A page that could not be loaded or shown. Where the connection was the reason, it tries again when that is back. */
export function RouteError() {
  const error = useRouteError()
  const navigate = useNavigate()
  const signedIn = useSession((state) => state.user !== null)
  const retry = () => (error instanceof ApiError ? void navigate(0) : location.reload())

  useEffect(() => {
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])

  // The session ended on the way: the login page is about to come.
  if (error instanceof ApiError && error.status === 401 && !signedIn) return null
  return (
    <SinglePage>
      <Drawing name="broken" />
      <h1 className="page-title">This page could not be loaded</h1>
      <p className="single-page-text route-error-text">{messageOf(error, explain(error))}</p>
      <Button onClick={retry}>Try again</Button>
    </SinglePage>
  )
}

const reload = () => location.reload()

function explain(error: unknown): string {
  if (!navigator.onLine) return 'You are offline. It will be loaded as soon as your connection is back.'
  if (error instanceof ApiError && error.status === 0) return error.message
  return 'Something went wrong. Please try again later.'
}
