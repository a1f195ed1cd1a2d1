import { type ComponentType, useEffect, useState } from 'react'
import { toasterMounted, toasterWanted, wantToaster } from '../ui/toast.ts'
import { whenIdle } from '../ui/when-idle.ts'

/** Loads the toaster when it is needed or the browser is idle, so that it does not delay the first page. */
export function LazyToaster() {
  const [Toaster, setToaster] = useState<ComponentType<{ onMount: () => void }> | null>(null)
  useEffect(() => {
    window.addEventListener('pointerdown', wantToaster, { once: true })
    window.addEventListener('keydown', wantToaster, { once: true })
    void toasterWanted
      .then(() => import('../ui/Toaster.tsx'))
      .then((part) => setToaster(() => part.Toaster))
      // Without it there are no toasts; forms also show their messages inline.
      .catch(() => {})
    return whenIdle(wantToaster)
  }, [])
  // A dialog hides everything else from assistive technology, except live regions that exist when it opens.
  return <div aria-live="off">{Toaster && <Toaster onMount={toasterMounted} />}</div>
}
