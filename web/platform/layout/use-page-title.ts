import { useEffect } from 'react'
import { useMatches } from 'react-router'
import type { PageHandle } from './page-handle.ts'

/** Sets the window's title to that of the innermost page: `Browse Notes · Lectern`. */
export function usePageTitle(): void {
  const title = useMatches()
    .map(({ handle, loaderData }) => {
      const { title } = (handle as PageHandle | undefined) ?? {}
      return typeof title === 'function' ? title(loaderData as never) : title
    })
    .findLast((given) => given !== undefined)
  useEffect(() => {
    document.title = title ? `${title} · Lectern` : 'Lectern'
  }, [title])
}
