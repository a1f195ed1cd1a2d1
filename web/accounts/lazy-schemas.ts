import type { FieldValues, Resolver } from 'react-hook-form'

const loadSchemas = () => import('./schemas.ts')

/** The texts of the contract that a form says after it was sent. */
export const loadTexts = async () => (await loadSchemas()).texts

type Resolvers = Awaited<ReturnType<typeof loadSchemas>>['resolvers']

/** The contract's rules for a form, fetched when first needed: the form is there and can be typed into before them. */
export function lazyResolver<Name extends keyof Resolvers>(name: Name): Resolvers[Name] {
  const resolver: Resolver<FieldValues> = async (...form) => {
    const { resolvers } = await loadSchemas()
    return (resolvers[name] as unknown as Resolver<FieldValues>)(...form)
  }
  return resolver as unknown as Resolvers[Name]
}

/** For a form's `onFocus`: fetches the rules while the first field is filled in, so that no submit waits for them. */
export function prepareSchemas(): void {
  // A failure shows when the form is sent.
  loadSchemas().catch(() => {})
}
