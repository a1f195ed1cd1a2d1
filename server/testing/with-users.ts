import { it } from 'vitest'
import type { TestApp } from './app.ts'
import { createUser } from './factories.ts'

/**
 * Returns an `it` whose tests name the users that they need: `async ({ user, other }) => …`. Each test gets its own
 * users, and only those that it names.
 */
export function itWithUsers(test: TestApp) {
  const create = () => createUser(test)
  return it
    .extend('user', create)
    .extend('other', create)
    .extend('owner', create)
    .extend('reader', create)
    .extend('ada', create)
    .extend('ben', create)
    .extend('mia', create)
}
