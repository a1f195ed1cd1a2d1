import { useEffect, useState } from 'react'
import { getAbout } from '../../../packages/contract/about.endpoints.ts'
import type { About } from '../../../packages/contract/about.ts'
import { api } from '../../platform/api/client.ts'

/** Returns the public facts about this instance. Undefined while they are loading, null if loading failed. */
export function useSiteInfo(): About | null | undefined {
  const [about, setAbout] = useState<About | null>()
  useEffect(() => {
    const leaving = new AbortController()
    api.call(getAbout, { signal: leaving.signal }).then(setAbout, () => {
      if (!leaving.signal.aborted) setAbout(null)
    })
    return () => leaving.abort()
  }, [])
  return about
}
