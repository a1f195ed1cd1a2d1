import { submitCopyrightClaim } from '../../../../packages/contract/copyright-claims.endpoints.ts'
import { reportNote as endpoint } from '../../../../packages/contract/reports.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import { getIpKey } from '../../../platform/http/addresses.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import * as claims from './copyright-claims.ts'
import { reportNote } from './reports.ts'

/** A moderator reads each claim, and the address may belong to a person who did not send the claim. */
const claimLimit = { name: 'claim-address', points: 10, seconds: 3600 }
const claimantLimit = { name: 'claim-mailbox', points: 3, seconds: 3600 }

export function reportRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, endpoint, async ({ viewer, params, body }) => {
    await reportNote(deps, viewer, params.id, body)
    return null
  })

  registerEndpoint(app, submitCopyrightClaim, async ({ ip, body }) => {
    await deps.rateLimits.consume(claimLimit, getIpKey(ip))
    await deps.rateLimits.consume(claimantLimit, body.email)
    await claims.submitCopyrightClaim(deps, body)
    return null
  })
}
