import { expect, it } from 'vitest'
import { countHashingThreads } from './thread-priority.ts'

it.each([
  { processors: 1, available: 1, canStandBack: true, threads: 1 },
  { processors: 2, available: 2, canStandBack: true, threads: 2 },
  { processors: 4, available: 4, canStandBack: true, threads: 4 },
  { processors: 64, available: 64, canStandBack: true, threads: 4 },
  { processors: 1, available: 1, canStandBack: false, threads: 1 },
  { processors: 2, available: 2, canStandBack: false, threads: 1 },
  { processors: 4, available: 4, canStandBack: false, threads: 3 },
])('hashes on $threads threads of $processors processors (threads that stand back: $canStandBack)', (machine) => {
  expect(countHashingThreads(machine)).toBe(machine.threads)
})

it('leaves a processor to everything else where a part of the machine is ours', () => {
  expect(countHashingThreads({ processors: 8, available: 2, canStandBack: true })).toBe(1)
  expect(countHashingThreads({ processors: 8, available: 4, canStandBack: true })).toBe(3)
})
