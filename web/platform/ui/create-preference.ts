import { useSyncExternalStore } from 'react'

/** A choice that is stored on this device if possible. The first of `choices` is the default. */
export function createPreference<T extends string>(storageKey: string, choices: readonly [T, ...T[]]) {
  const listeners = new Set<() => void>()
  let chosen = read()

  function read(): T {
    try {
      return choices.find((choice) => choice === localStorage.getItem(storageKey)) ?? choices[0]
    } catch {
      return choices[0]
    }
  }

  function subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  const get = () => chosen
  return {
    get,
    use: (): T => useSyncExternalStore(subscribe, get),
    choose(choice: T) {
      chosen = choice
      try {
        localStorage.setItem(storageKey, choice)
      } catch {
        // Storage is disabled: the choice lasts until the page is left.
      }
      for (const listener of listeners) listener()
    },
  }
}
