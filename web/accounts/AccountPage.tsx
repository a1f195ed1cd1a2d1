import type { ReactNode } from 'react'
import { DeskScene } from './DeskScene.tsx'

type AccountPageProps = { title: string; intro?: ReactNode; children: ReactNode; footer: ReactNode }

/** The frame of every account form: a sheet of paper, beside the reading desk where there is room for both. */
export function AccountPage({ title, intro, children, footer }: AccountPageProps) {
  return (
    <div className="page account-page">
      <DeskScene />
      <div className="paper-stack max-w-[30rem]">
        <section className="paper-sheet account-sheet" aria-labelledby="account-title">
          <h1 id="account-title" className="page-title">
            {title}
          </h1>
          {intro && <p className="mt-2 text-ink-soft">{intro}</p>}
          {children}
          <p className="mt-6 text-ink-soft">{footer}</p>
        </section>
      </div>
    </div>
  )
}
