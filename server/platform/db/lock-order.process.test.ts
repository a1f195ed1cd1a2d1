import { it } from 'vitest'
import { raceForLocks } from '../../testing/lock-races.ts'

it(
  '300 rounds of uploads, renames, edits, suspensions, ratings and deletions cause no server error (G2)',
  () => raceForLocks(300),
  1_800_000,
)
