import type { FieldValues, Resolver } from 'react-hook-form'

const loadAccounts = () => import('../../contract/accounts.ts')

async function loadResolvers() {
  const [{ createResolvers }, accounts] = await Promise.all([import('./schemas.ts'), loadAccounts()])
  return createResolvers(accounts)
}

/** The texts of the contract that a form says after it was sent. */
export const loadTexts = async () => (await loadAccounts()).accountMessages

type Resolvers = Awaited<ReturnType<typeof loadResolvers>>

/** The contract's rules for a form, fetched when first needed: the form is there and can be typed into before them. */
export function lazyResolver<Name extends keyof Resolvers>(name: Name): Resolvers[Name] {
  const resolver: Resolver<FieldValues> = async (...form) => {
    return ((await loadResolvers())[name] as unknown as Resolver<FieldValues>)(...form)
  }
  return resolver as unknown as Resolvers[Name]
}

/** For a form's `onFocus`: fetches the rules while the first field is filled in, so that no submit waits for them. */
export function prepareSchemas(): void {
  // A failure shows when the form is sent.
  loadResolvers().catch(() => {})
}
