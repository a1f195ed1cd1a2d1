import { expect, it } from 'vitest'
import { describeHelp, describeUse } from './author-stats.ts'

it.each([
  [{ helped: 41, opened: 1230, liked: 57 }, 'Your notes helped 41 people', 'Opened 1,230 times, liked 57 times.'],
  [{ helped: 1, opened: 1, liked: 2 }, 'Your notes helped 1 person', 'Opened once, liked twice.'],
  [{ helped: 1, opened: 0, liked: 1 }, 'Your notes helped 1 person', 'Liked once.'],
  [{ helped: 0, opened: 3, liked: 0 }, 'Your notes have been read', 'Opened 3 times.'],
  [{ helped: 0, opened: 0, liked: 0 }, 'No readers yet', 'You’ll see how many people your notes help, but never who.'],
])('describes the results of sharing for %j', (counts, help, use) => {
  const sharing = { ...counts, weeks: [] }
  expect([describeHelp(sharing), describeUse(sharing)]).toEqual([help, use])
})
