import { useSyncExternalStore } from 'react'
import { Icon } from '../ui/Icon.tsx'
import './offline-notice.css'

export function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className="offline-notice">
          <Icon name="wifi-off" />
          You’re offline. Some things won’t load until you reconnect.
        </p>
      )}
    </div>
  )
}

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
