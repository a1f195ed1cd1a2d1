import { lazyResolvers } from './lazy-resolvers.ts'

const loadAccounts = () => import('../../contract/accounts.ts')

/** The texts of the contract that a form says after it was sent. */
export const loadTexts = async () => (await loadAccounts()).accountMessages

export const { resolverOf: lazyResolver, prepare: prepareSchemas } = lazyResolvers(async () => {
  const [{ createResolvers }, accounts] = await Promise.all([import('./schemas.ts'), loadAccounts()])
  return createResolvers(accounts)
})
