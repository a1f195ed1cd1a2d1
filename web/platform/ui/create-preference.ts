import { useSyncExternalStore } from 'react'

/** One of several, as chosen on this device, which remembers it where storage allows; the first one until then. */
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
        // Storage is switched off: the choice holds until the page is left.
      }
      for (const listener of listeners) listener()
    },
  }
}
