import { it } from 'vitest'
import { raceForAnonymity } from '../../testing/anonymity-races.ts'

it.each(['suspension', 'deletion'] as const)(
  'in 300 rounds a note is never shown with its author after an edit against a %s (G3)',
  (kind) => raceForAnonymity(kind, 300),
  1_800_000,
)
