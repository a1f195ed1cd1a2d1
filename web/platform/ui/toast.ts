import type { ToastKind } from './Toaster.tsx'

const wanted = Promise.withResolvers<void>()
const mounted = Promise.withResolvers<void>()

/**
 * For the layout: resolves when the toaster should come. It is a part of its own, which hardly anybody needs before
 * the first touch or key; what is said earlier waits for it.
 */
export const toasterWanted: Promise<void> = wanted.promise
export const wantToaster = (): void => wanted.resolve()
/** For the toaster: it is on the page and listens. */
export const toasterMounted = (): void => mounted.resolve()

async function show(kind: ToastKind, text: string) {
  wantToaster()
  const [{ showToast }] = await Promise.all([import('./Toaster.tsx'), mounted.promise])
  showToast(kind, text)
}

/** Top right, gone after 5 seconds, reached by Alt+T (SPEC.md section 9). */
export const showSuccess = (text: string): void => say('success', text)
export const showError = (text: string): void => say('error', text)

/** Without a connection the toaster's part may be out of reach; then what the page itself shows has to do. */
function say(kind: ToastKind, text: string): void {
  show(kind, text).catch(() => {})
}
