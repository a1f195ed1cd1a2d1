import type { FieldValues, Resolver } from 'react-hook-form'

/** Rules of the contract for forms, fetched when first needed: a form is there and can be typed into before them. */
export function lazyResolvers<Resolvers extends object>(load: () => Promise<Resolvers>) {
  return {
    resolverOf<Name extends keyof Resolvers>(name: Name): Resolvers[Name] {
      const resolver: Resolver<FieldValues> = async (values, ...form) => {
        // As they are now: the form hands out its own, which change while the rules are fetched.
        const asSent = structuredClone(values)
        return ((await load())[name] as unknown as Resolver<FieldValues>)(asSent, ...form)
      }
      return resolver as unknown as Resolvers[Name]
    },
    /** For a form's `onFocus`: fetches the rules while the first field is filled in, so that no submit waits for them. */
    prepare(): void {
      // A failure shows when the form is sent.
      load().catch(() => {})
    },
  }
}
