import { type ComponentType, useEffect } from 'react'
import { redirect, useLoaderData, useRevalidator } from 'react-router'
import * as paths from '../../platform/paths.ts'
import { session, useSession } from '../../platform/session/store.ts'
import { Landing } from './Landing.tsx'

type HomeData = { StudentHome: ComponentType } | null

/** Visitors load only the landing page; the students' page is a separate chunk. */
export async function loader(): Promise<HomeData> {
  const { user } = session.getState()
  if (user === null) return null
  if (user.suspension) throw redirect(paths.suspended())
  const { StudentHome, preloadShelves } = await import('./StudentHome.tsx')
  await preloadShelves()
  return { StudentHome }
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
