import { useState } from 'react'
import type { Announcement } from '../../../packages/contract/announcements.ts'
import '../ui/button.css'
import './announcement-bar.css'

/** What the admins have to say, until it is put away on this device. Text, whatever is in it. */
export function AnnouncementBar({ announcement: { _id, text } }: { announcement: Announcement }) {
  const [isPutAway, setPutAway] = useState(() => readPutAway() === _id)
  if (isPutAway) return null

  function putAway() {
    saveDismissed(_id)
    setPutAway(true)
    // The keyboard goes on with what moves up.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }

  return (
    <section className="announcement-bar" aria-label="From the admins">
      <p dir="auto">{text}</p>
      <button type="button" className="button button-secondary button-small" onClick={putAway}>
        Got it
      </button>
    </section>
  )
}

const storageKey = 'lectern-announcement'

function readPutAway(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

function saveDismissed(id: string): void {
  try {
    localStorage.setItem(storageKey, id)
  } catch {
    // Storage is switched off: it is back with the next page that is loaded.
  }
}
