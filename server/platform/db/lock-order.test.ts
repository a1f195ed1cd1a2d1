import { it } from 'vitest'
import { raceForLocks } from '../../testing/lock-races.ts'

it('uploads, renames, edits, suspensions, ratings and deletions against each other cause no server error (G2)', () =>
  raceForLocks(2))
