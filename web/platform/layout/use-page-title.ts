import { useEffect } from 'react'
import { useMatches } from 'react-router'

/** What a page says of itself. A title may depend on what its loader loaded. */
type Handle = { title?: string | ((loaded: never) => string) } | undefined

/** The window's title is that of the innermost page: `Browse Notes · Lectern`. */
export function usePageTitle(): void {
  const title = useMatches()
    .map(({ handle, loaderData }) => {
      const { title } = (handle as Handle) ?? {}
      return typeof title === 'function' ? title(loaderData as never) : title
    })
    .findLast((given) => given !== undefined)
  useEffect(() => {
    document.title = title ? `${title} · Lectern` : 'Lectern'
  }, [title])
}
