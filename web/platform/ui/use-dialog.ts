import { startTransition, useCallback, useState } from 'react'

/**
 * Opens a dialog with the given props; null before the first opening. A new key for each opening starts its form anew,
 * and a closed dialog keeps its props while it fades out.
 */
export function useDialog<Props extends object>() {
  const [shown, setShown] = useState<(Props & { key: number; open: boolean }) | null>(null)
  // The transition shows the button press immediately, and the page stays as it is while the dialog's script is loading.
  const show = useCallback(
    (props: Props) =>
      startTransition(() => setShown((before) => ({ ...props, key: (before?.key ?? 0) + 1, open: true }))),
    [],
  )
  const onClose = () => setShown((before) => before && { ...before, open: false })
  return [shown && { ...shown, onClose }, show] as const
}
