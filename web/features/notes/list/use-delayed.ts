import { useEffect, useState } from 'react'

/** True once `isActive` has been true for that long, so that what is over at once is not announced. */
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
