import { create } from 'zustand'

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

/** A choice that is stored on this device if possible. The first of `choices` is the default. */
export function createPreference<T extends string>(storageKey: string, choices: readonly [T, ...T[]]) {
  const stored = readStored(storageKey)
  const useChoice = create(() => ({ choice: choices.find((choice) => choice === stored) ?? choices[0] }))
  return {
    get: (): T => useChoice.getState().choice,
    use: (): T => useChoice(({ choice }) => choice),
    choose(choice: T) {
      useChoice.setState({ choice })
      store(storageKey, choice)
    },
  }
}
