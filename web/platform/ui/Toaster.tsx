import { useEffect } from 'react'
import { Toaster as SonnerToaster, type ToastT, toast } from 'sonner'
import { toastDurationMs } from '../../../packages/contract/limits.ts'
import { Icon } from './Icon.tsx'
import './toaster.css'

export type ToastKind = 'success' | 'error'

/** The toast area. The layout mounts it once. */
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

/**
 * Equal text replaces its toast instead of adding another. In this file, so that a lost connection can be reported
 * without loading a script.
 */
export function showToast(kind: ToastKind, text: string) {
  // A success dismisses earlier errors, which would remain visible below it.
  if (kind === 'success') {
    for (const { id, type } of toast.getToasts() as ToastT[]) if (type === 'error') toast.dismiss(id)
  }
  toast[kind](text, { id: text })
}
