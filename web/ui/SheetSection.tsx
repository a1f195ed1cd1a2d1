import type { ReactNode } from 'react'
import './sheet-section.css'

type SheetSectionProps = { id: string; title: ReactNode; text?: ReactNode; children: ReactNode }

/** One matter on a sheet of its own: what it is about, and beside it what can be done. */
export function SheetSection({ id, title, text, children }: SheetSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="sheet sheet-section">
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        {text && <p className="sheet-section-text">{text}</p>}
      </div>
      <div className="sheet-section-body">{children}</div>
    </section>
  )
}
