import { useState } from 'react'
import type { Announcement } from '../../../packages/contract/announcements.ts'
import { useSession } from '../session/store.ts'
import { readStored, store } from '../storage.ts'
import '../ui/button.css'
import './announcement-bar.css'

const storageKey = 'lectern-announcement'

/** The admins' announcement until this user dismisses it on this device. It is rendered as plain text. */
export function AnnouncementBar({ announcement: { _id, text } }: { announcement: Announcement }) {
  const userId = useSession((state) => state.user?._id)
  const shown = `${_id} ${userId}`
  const [dismissed, setDismissed] = useState(() => readStored(storageKey))
  if (dismissed === shown) return null

  function dismiss() {
    store(storageKey, shown)
    setDismissed(shown)
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
