import { useState } from 'react'
import { readStored, store } from '../storage.ts'
import '../ui/button.css'
import './announcement-bar.css'

const storageKey = 'lectern-announcement'

/**
 * The admins' announcement until this user dismisses it on this device. It is rendered as plain text.
 * @param id of announcement and user.
 */
export function AnnouncementBar({ id, text }: { id: string; text: string }) {
  const [isPutAway, setPutAway] = useState(() => readStored(storageKey) === id)
  if (isPutAway) return null

  function dismiss() {
    store(storageKey, id)
    setPutAway(true)
    // The bar is removed, so the focus moves to the content.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }

  return (
    <section className="announcement-bar" aria-label="Site announcement">
      <p dir="auto">{text}</p>
      <button type="button" className="button button-secondary button-small" onClick={dismiss}>
        Got it
      </button>
    </section>
  )
}
