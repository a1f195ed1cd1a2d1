import { useEffect, useState } from 'react'

/** Whether the page has phone width, as in the style sheets. For behaviour, not for looks. */
export const isMobile = () => matchMedia('(width < 40rem)').matches

/** Whether a focused field would open a keyboard over the page. */
export const isTouch = () => matchMedia('(pointer: coarse)').matches

/**
 * Runs `task` when the browser is idle, after the page has been open for a while: for scripts that will be needed soon.
 * A slow device may never be idle, so it does not wait longer than a few seconds.
 * @returns a function that cancels the task.
 */
export function whenIdle(task: () => void): () => void {
  let cancelIdle = () => {}
  const timer = setTimeout(() => {
    // Older Safari versions have no `requestIdleCallback`.
    if (!('requestIdleCallback' in window)) return task()
    const handle = requestIdleCallback(task, { timeout: longestWaitMs })
    cancelIdle = () => cancelIdleCallback(handle)
  }, settledAfterMs)
  return () => {
    clearTimeout(timer)
    cancelIdle()
  }
}

const settledAfterMs = 2_000
const longestWaitMs = 5_000

/**
 * The heading of a section, or of the page, made focusable: it takes the focus when the focused element is removed
 * without a successor.
 */
export function headingOf(sectionId?: string): HTMLElement | null {
  const ofSection = sectionId === undefined ? null : document.getElementById(`${sectionId}-title`)
  const heading = ofSection ?? document.querySelector<HTMLElement>('main h1')
  if (heading) heading.tabIndex = -1
  return heading
}

export const focusHeading = (sectionId?: string): void => headingOf(sectionId)?.focus()

/** The text as it was when the user last paused typing. */
export function useDebounced(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return settled
}

/** Returns false when the browser refuses the clipboard or has none, as on pages without https. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
