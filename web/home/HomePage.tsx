import type { ComponentType } from 'react'
import { useLoaderData } from 'react-router'
import { session } from '../session/store.ts'
import { Landing } from './Landing.tsx'

type HomeData = { Welcome: ComponentType } | null

/** A visitor gets the front page alone; what only students see comes in a part of its own. */
export async function loader(): Promise<HomeData> {
  if (session.getState().user === null) return null
  const { Welcome, fetchShelves } = await import('./Welcome.tsx')
  fetchShelves()
  return { Welcome }
}

export function Component() {
  const home = useLoaderData<HomeData>()
  return home === null ? <Landing /> : <home.Welcome />
}
