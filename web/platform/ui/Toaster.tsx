import { useEffect } from 'react'
import { Toaster as SonnerToaster, type ToastT, toast } from 'sonner'
import { toastDurationMs } from '../../../packages/contract/limits.ts'
import { Icon } from './Icon.tsx'
import './toaster.css'

export type ToastKind = 'success' | 'error'

/** Where toasts appear. Mounted once, by the layout. */
export function Toaster({ onMount }: { onMount: () => void }) {
  useEffect(onMount, [onMount])
  return (
    <SonnerToaster
      position="top-right"
      duration={toastDurationMs}
      hotkey={['altKey', 'KeyT']}
      offset={{ top: 76, right: 20 }}
      mobileOffset={{ top: 'max(0.375rem, env(safe-area-inset-top))', left: 8, right: 8 }}
      closeButton
      icons={{
        success: <Icon name="circle-check" className="text-success" />,
        error: <Icon name="circle-exclamation-point" className="text-danger" />,
      }}
      toastOptions={{ className: 'toaster-toast' }}
    />
  )
}

/** The same words again renew the toast instead of piling up. In this part, so that a lost connection can be said without loading anything. */
export function showToast(kind: ToastKind, text: string) {
  // What failed before is over with a success, and would peek out from under it.
  if (kind === 'success') {
    for (const { id, type } of toast.getToasts() as ToastT[]) if (type === 'error') toast.dismiss(id)
  }
  toast[kind](text, { id: text })
}
