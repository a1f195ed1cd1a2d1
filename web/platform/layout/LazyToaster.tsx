import { type ComponentType, useEffect, useState } from 'react'
import { toasterMounted, toasterWanted, wantToaster } from '../ui/toast.ts'
import { whenIdle } from '../ui/when-idle.ts'

/** The toaster, once it is wanted or nothing else is to do: out of the way of the first page. */
export function LazyToaster() {
  const [Toaster, setToaster] = useState<ComponentType<{ onMount: () => void }> | null>(null)
  useEffect(() => {
    window.addEventListener('pointerdown', wantToaster, { once: true })
    window.addEventListener('keydown', wantToaster, { once: true })
    void toasterWanted
      .then(() => import('../ui/Toaster.tsx'))
      .then((part) => setToaster(() => part.Toaster))
      // Without it nothing is said at the corner; every message of a form stands at the form as well.
      .catch(() => {})
    return whenIdle(wantToaster)
  }, [])
  return Toaster && <Toaster onMount={toasterMounted} />
}
