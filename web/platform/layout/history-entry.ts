/**
 * Gives the document's first history entry a key, as the router does for later ones. Without it all typed addresses in
 * a tab would share one scroll position. A reload keeps the key.
 */
export function ensureHistoryKey(): void {
  const entry = history.state as { key?: string } | null
  // biome-ignore lint/plugin/forbidden-in-product: the key is only compared within this tab
  if (!entry?.key) history.replaceState({ ...entry, key: Math.random().toString(36).slice(2, 10) }, '')
}
