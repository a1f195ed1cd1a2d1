import { type RefObject, startTransition, useEffect, useState } from 'react'

/** So far that who scrolls quickly does not outrun what is drawn meanwhile. */
const farFrom = '600%'

/**
 * Whether an element is many screens away from what is seen. What has the focus is never far. Follows in slices: nobody sees
 * it.
 */
export function useIsFar(element: RefObject<Element | null>): boolean {
  const [isFar, setFar] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const hasFocus = element.current?.contains(document.activeElement)
        startTransition(() => setFar(!entries.at(-1)?.isIntersecting && !hasFocus))
      },
      { rootMargin: `${farFrom} 0%` },
    )
    if (element.current !== null) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isFar
}
