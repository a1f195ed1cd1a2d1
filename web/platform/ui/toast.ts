import type { ToastKind } from './Toaster.tsx'

const wanted = Promise.withResolvers<void>()
const mounted = Promise.withResolvers<void>()

/**
 * For the layout: resolves when the toaster should load. It is a separate script, because it is rarely needed before
 * the first touch or key; earlier toasts wait for it.
 */
export const toasterWanted: Promise<void> = wanted.promise
export const wantToaster = (): void => wanted.resolve()
/** Called by the toaster when it is mounted. */
export const toasterMounted = (): void => mounted.resolve()

/** Shows a toast at the top right for 5 seconds, reachable by Alt+T (SPEC.md section 9). */
export const showSuccess = (text: string): void => show('success', text)
export const showError = (text: string): void => show('error', text)

function show(kind: ToastKind, text: string): void {
  wantToaster()
  Promise.all([import('./Toaster.tsx'), mounted.promise])
    .then(([{ showToast }]) => showToast(kind, text))
    // Offline, the toaster's script may be missing; then only the page's own messages are shown.
    .catch(() => {})
}
