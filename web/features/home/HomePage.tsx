import { type ComponentType, useEffect } from 'react'
import { redirect, useLoaderData, useRevalidator } from 'react-router'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { session, useSession } from '../../platform/session/store.ts'
import { Landing } from './Landing.tsx'

type HomeData = { StudentHome: ComponentType } | null

/** Visitors load only the landing page; the students' page is a separate chunk. */
export async function loader(): Promise<HomeData> {
  redirectIfSuspended()
  // After a reload, the access token is there before the user.
  if (session.getState().user === null && !api.hasAccessToken()) return null
  const { StudentHome, preloadShelves } = await import('./StudentHome.tsx')
  await preloadShelves()
  redirectIfSuspended()
  return session.getState().user && { StudentHome }
}

function redirectIfSuspended(): void {
  if (session.getState().user?.suspension) throw redirect(paths.suspended())
}

export function Component() {
  const home = useLoaderData<HomeData>()
  const isSignedIn = useSession((state) => state.user !== null)
  const { revalidate } = useRevalidator()
  // The server or another tab can report the signed-in user at any time after the loader ran.
  useEffect(() => {
    if (isSignedIn && home === null) void revalidate()
  }, [isSignedIn, home, revalidate])
  return home === null ? <Landing /> : <home.StudentHome />
}
