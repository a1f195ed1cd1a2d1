import { zodResolver } from '@hookform/resolvers/zod'
import { lazyResolvers } from './lazy-resolvers.ts'

export const { resolverOf: codeRules, prepare: prepareCodeRules } = lazyResolvers(async () => ({
  codeForm: zodResolver((await import('../../contract/two-factor.ts')).codeForm),
}))
