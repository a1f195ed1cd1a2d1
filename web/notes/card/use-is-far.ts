import { type RefObject, startTransition, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

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
    const follow = () => element.current !== null && observer.observe(element.current)
    // On paper everything is seen, as it is when this returns.
    const print = () => {
      observer.disconnect()
      flushSync(() => setFar(false))
    }
    follow()
    addEventListener('beforeprint', print)
    addEventListener('afterprint', follow)
    return () => {
      observer.disconnect()
      removeEventListener('beforeprint', print)
      removeEventListener('afterprint', follow)
    }
  }, [element])
  return isFar
}
