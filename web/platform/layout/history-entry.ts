/**
 * Names the entry of the history that this document begins at, as the router names all later ones: an address that was
 * typed has no name, and all of them in a tab would share one scroll place. A reload finds the name it was given.
 */
export function ensureHistoryKey(): void {
  const entry = history.state as { key?: string } | null
  // biome-ignore lint/plugin/forbidden-in-product: the key is only compared within this tab
  if (!entry?.key) history.replaceState({ ...entry, key: Math.random().toString(36).slice(2, 10) }, '')
}
