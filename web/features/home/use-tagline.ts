import { useEffect, useState } from 'react'
import { taglineRotationMs } from '../../../packages/contract/limits.ts'
import { nextTagline, taglines } from './taglines.ts'

/** The index of the last tagline. It outlives the banner and, through session storage, a reload. */
let shown: number | null = null
const storageKey = 'lectern.tagline'

/** Returns the current tagline. It changes every 30 seconds while the tab is visible and never repeats immediately. */
export function useTagline(): string {
  const [index, setIndex] = useState(advance)

  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    const follow = () => {
      clearInterval(timer)
      timer = document.hidden ? undefined : setInterval(() => setIndex(advance()), taglineRotationMs)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
    }
  }, [])

  return taglines[index] ?? ''
}

function advance(): number {
  shown ??= readShown()
  // biome-ignore lint/plugin/forbidden-in-product: nothing depends on which tagline is shown
  shown = nextTagline(shown, Math.random())
  try {
    sessionStorage.setItem(storageKey, String(shown))
  } catch {
    // Storage can be disabled; a reload may then repeat a tagline.
  }
  return shown
}

function readShown(): number | null {
  try {
    const stored = sessionStorage.getItem(storageKey)
    return stored === null ? null : Number.parseInt(stored, 10)
  } catch {
    return null
  }
}
