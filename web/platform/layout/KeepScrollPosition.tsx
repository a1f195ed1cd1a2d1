import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * Contains a router whose first page replaces the same page in the document. The router scrolls to the top, but the
 * user may have scrolled before.
 */
export function KeepScrollPosition({ children }: { children: ReactNode }) {
  const position = useRef(0)
  const save = () => {
    position.current = window.scrollY
  }
  return (
    <>
      <OnMount run={save} />
      {children}
      <OnMount run={() => window.scrollTo(0, position.current)} />
    </>
  )
}

/** Runs before the page is painted, in the order of the elements. */
function OnMount({ run }: { run: () => void }) {
  useLayoutEffect(run, [run])
  return null
}
