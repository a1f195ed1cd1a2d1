import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showError } from '../../../platform/ui/toast.ts'
import { testNote } from '../../../test/test-note.ts'
import { openNote } from './open-note.ts'

vi.mock('../../../platform/ui/toast.ts')
const blocked = 'Your browser blocked the new tab. Allow pop-ups for this site and try again.'
const element = () => ({ style: {} })
/** A fake tab with only the members that are used while it waits. */
const newTab = (closed = false) => ({
  closed,
  close: vi.fn(),
  document: { documentElement: element(), createElement: element, body: { append() {} } },
})
const openTab = vi.fn<() => ReturnType<typeof newTab> | null>()
const asked: AbortSignal[] = []

beforeEach(() => {
  vi.stubGlobal('window', { open: openTab })
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    asked.push(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.mocked(showError).mockReset()
  asked.length = 0
})

it.each([null, newTab(true)])('a blocked tab is said', async (tab) => {
  openTab.mockReturnValue(tab)
  await openNote(testNote('a'))
  expect(showError).toHaveBeenCalledExactlyOnceWith(blocked)
  expect(asked).toEqual([])
})

it('a tab that is closed while its note loads ends the request without an error, and the note can be opened again', async () => {
  for (const times of [1, 2]) {
    const tab = newTab()
    openTab.mockReturnValue(tab)
    const opened = openNote(testNote('a'))
    await expect.poll(() => asked).toHaveLength(times)
    tab.closed = true
    await opened
    expect(asked.at(-1)?.aborted).toBe(true)
  }
  expect(showError).not.toHaveBeenCalled()
})
