import type { ReactNode } from 'react'
import './section.css'
import { Sheet, Text } from './layout.tsx'

type SectionProps = { id: string; title: ReactNode; text?: ReactNode; children: ReactNode }

/** A titled sheet with its actions beside the title. */
export function Section({ id, title, text, children }: SectionProps) {
  return (
    <Sheet as="section" id={id} aria-labelledby={`${id}-title`} className="section">
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        {text && (
          <Text tone="soft" top={0.375}>
            {text}
          </Text>
        )}
      </div>
      <div>{children}</div>
    </Sheet>
  )
}
