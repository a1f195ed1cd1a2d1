/** @returns null if nothing is stored, undefined if the user disabled the storage. @param isOfTab not shared by tabs. */
export function readStored(key: string, isOfTab = false): string | null | undefined {
  try {
    return (isOfTab ? sessionStorage : localStorage).getItem(key)
  } catch {
    return undefined
  }
}

/** Stores a value, or removes it if it is null. Without storage it lasts until the page is left. */
export function store(key: string, value: string | null, isOfTab = false): void {
  try {
    const storage = isOfTab ? sessionStorage : localStorage
    if (value === null) storage.removeItem(key)
    else storage.setItem(key, value)
  } catch {
    // The user disabled the storage, or it is full.
  }
}
