import { useEffect, useState } from 'react'
import { taglineRotationMs } from '../../../packages/contract/limits.ts'
import { nextTagline, taglines } from './taglines.ts'

/** The index of the tagline last shown. Outlives the banner, and by the tab's storage a reload. */
let shown: number | null = null
const storageKey = 'lectern.tagline'

/** The tagline on display: a new one every 30 seconds while the tab is looked at, never the one shown before it. */
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
    // Storage can be switched off; then a reload may repeat a tagline.
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
