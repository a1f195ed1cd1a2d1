import { useSyncExternalStore } from 'react'
import { readStored, store } from '../storage.ts'

/** A choice that is stored on this device if possible. The first of `choices` is the default. */
export function createPreference<T extends string>(storageKey: string, choices: readonly [T, ...T[]]) {
  const listeners = new Set<() => void>()
  const stored = readStored(storageKey)
  let chosen = choices.find((choice) => choice === stored) ?? choices[0]

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
      store(storageKey, choice)
      for (const listener of listeners) listener()
    },
  }
}
