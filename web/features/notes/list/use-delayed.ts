import { useEffect, useState } from 'react'

/** Returns true when `isActive` has been true for `delayMs`, so that short waits are not announced. */
export function useDelayed(isActive: boolean, delayMs: number): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!isActive) return
    const timer = setTimeout(() => setIsLate(true), delayMs)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [isActive, delayMs])
  return isActive && isLate
}
