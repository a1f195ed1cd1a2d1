import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { Toaster as SonnerToaster } from 'sonner'
import { toastDurationMs } from '../../contract/limits.ts'
import { toasterMounted } from './toast.ts'

/** Where toasts appear. Mounted once, by the layout. */
export function Toaster() {
  useEffect(toasterMounted, [])
  return (
    <SonnerToaster
      position="top-right"
      duration={toastDurationMs}
      hotkey={['altKey', 'KeyT']}
      offset={{ top: 76, right: 20 }}
      mobileOffset={{ top: 68, left: 12, right: 12 }}
      closeButton
      icons={{
        success: <CircleCheck aria-hidden="true" className="size-5 text-success" />,
        error: <CircleAlert aria-hidden="true" className="size-5 text-danger" />,
      }}
      toastOptions={{ className: 'toast' }}
    />
  )
}
