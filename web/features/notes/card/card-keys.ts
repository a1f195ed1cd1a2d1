import type { KeyboardEvent } from 'react'

type Box = { left: number; top: number }

/**
 * Returns the index of the card that a key moves the focus to, or null if there is none. It uses the measured positions
 * of the cards, so it does not depend on columns and breakpoints.
 */
export function nextCard(boxes: Box[], from: number, key: string): number | null {
  const here = boxes[from]
  if (here === undefined) return null
  const last = boxes.length - 1
  if (key === 'ArrowRight') return from < last ? from + 1 : null
  if (key === 'ArrowLeft') return from > 0 ? from - 1 : null
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return null
  const down = key === 'ArrowDown'
  const beyond = boxes.flatMap((box, at) => ((down ? box.top > here.top + 1 : box.top < here.top - 1) ? [at] : []))
  const distance = (at: number) => {
    const box = boxes[at] ?? here
    // The next row is preferred, then the nearest column in it.
    return Math.abs(box.top - here.top) * 10_000 + Math.abs(box.left - here.left)
  }
  return beyond.reduce<number | null>((best, at) => (best === null || distance(at) < distance(best) ? at : best), null)
}

const openers = '[data-note-open]'

export function handleCardKeys(event: KeyboardEvent<HTMLElement>): void {
  const opener = (event.target as Element).closest<HTMLElement>(openers)
  if (opener === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>(openers)]
  const boxes = cards.map((card) => (card.closest('li, [role="listitem"]') ?? card).getBoundingClientRect())
  const next = nextCard(boxes, cards.indexOf(opener), event.key)
  if (next === null) return
  event.preventDefault()
  cards[next]?.focus()
}
