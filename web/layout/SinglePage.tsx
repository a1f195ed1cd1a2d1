import type { ReactNode } from 'react'

/** One sheet in the middle of the desk, for a page with a single thing to say. */
export function SinglePage({ children }: { children: ReactNode }) {
  return (
    <div className="page single-page">
      <div className="paper-stack max-w-xl">
        <section className="paper-sheet flex flex-col items-center text-center">{children}</section>
      </div>
    </div>
  )
}
