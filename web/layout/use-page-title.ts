import { useEffect } from 'react'
import { useMatches } from 'react-router'

/** The window's title is that of the innermost page: `Browse Notes · Lectern`. */
export function usePageTitle(): void {
  const title = useMatches()
    .map(({ handle }) => (handle as { title?: string } | undefined)?.title)
    .findLast((given) => given !== undefined)
  useEffect(() => {
    document.title = title ? `${title} · Lectern` : 'Lectern'
  }, [title])
}
