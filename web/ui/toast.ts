type Kind = 'success' | 'error'

let markReady: () => void = () => {}
/** The toaster comes in a part of its own, after the page. What is said before waits for it. */
const toasterReady = new Promise<void>((resolve) => {
  markReady = resolve
})

/** For the toaster alone: it is on the page and listens. */
export const toasterMounted = () => markReady()

async function show(kind: Kind, text: string) {
  const [{ toast }] = await Promise.all([import('sonner'), toasterReady])
  // The same words again renew the toast instead of piling up.
  toast[kind](text, { id: text })
}

/** Top right, gone after 5 seconds, reached by Alt+T (SPEC.md section 9). */
export const showSuccess = (text: string): void => void show('success', text)
export const showError = (text: string): void => void show('error', text)
