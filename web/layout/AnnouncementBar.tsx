import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import type { Announcement } from '../../contract/announcements.ts'
import { Button } from '../ui/Button.tsx'
import './announcement-bar.css'

/** What the admins have to say, until it is put away on this device. Text, whatever is in it. */
export function AnnouncementBar({ announcement: { _id, text } }: { announcement: Announcement }) {
  const [isPutAway, setPutAway] = useState(() => readPutAway() === _id)
  if (isPutAway) return null

  function putAway() {
    keepPutAway(_id)
    setPutAway(true)
    // The keyboard goes on with what moves up.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }

  return (
    <section className="announcement-bar" aria-label="Announcement">
      <Megaphone aria-hidden="true" />
      <p dir="auto">{text}</p>
      <Button variant="secondary" size="small" onClick={putAway}>
        Got it
      </Button>
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

function keepPutAway(id: string): void {
  try {
    localStorage.setItem(storageKey, id)
  } catch {
    // Storage is switched off: it is back with the next page that is loaded.
  }
}
