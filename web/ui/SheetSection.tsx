import type { ReactNode } from 'react'
import './settings-section.css'

type SettingsSectionProps = { id: string; title: ReactNode; text?: ReactNode; children: ReactNode }

/** One matter on a sheet of its own: what it is about, and beside it what can be done. */
export function SettingsSection({ id, title, text, children }: SettingsSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="sheet settings-section">
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        {text && <p className="settings-section-text">{text}</p>}
      </div>
      <div className="settings-section-body">{children}</div>
    </section>
  )
}
