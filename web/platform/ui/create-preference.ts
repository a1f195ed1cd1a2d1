import { create } from 'zustand'
import { readStored, store } from '../storage.ts'

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
