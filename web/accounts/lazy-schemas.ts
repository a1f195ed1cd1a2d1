import { useEffect } from 'react'
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

/** Fetches the rules once the form is on the screen, so that the first submit does not wait for them. */
export function useSchemasSoon(): void {
  useEffect(() => {
    // A failure shows when the form is sent.
    loadSchemas().catch(() => {})
  }, [])
}
