import * as endpoints from '../../../../packages/contract/passkeys.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import { getIpKey } from '../../../platform/http/addresses.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { createConfirmPassword } from '../sessions/confirm-password.ts'
import { getDeviceLabel } from '../sessions/device-label.ts'
import { createLoginResponder } from '../sessions/login-response.ts'
import {
  addPasskey,
  createLoginOptions,
  createRegistrationOptions,
  listPasskeys,
  logInWithPasskey,
  removePasskey,
  renamePasskey,
} from './passkeys.ts'

/** Each call stores a challenge for minutes; the limit allows the logins of a campus behind one address. */
const loginLimit = { name: 'passkey-login-address', points: 1000, seconds: 15 * 60 }

export function passkeyRoutes(app: App, deps: Deps): void {
  const confirmPassword = createConfirmPassword(deps)
  const login = createLoginResponder(deps)

  registerEndpoint(app, endpoints.listPasskeys, async ({ viewer }) => ({
    passkeys: await listPasskeys(deps.db, viewer),
  }))

  registerEndpoint(app, endpoints.createPasskeyRegistrationOptions, async (request) => {
    const { viewer, sessionId, body } = request
    const confirmedHash = await confirmPassword(request, viewer, body.currentPassword)
    return createRegistrationOptions(deps, { viewer, confirmedHash }, sessionId)
  })

  registerEndpoint(app, endpoints.addPasskey, async (request) => {
    const { viewer, sessionId, body } = request
    return addPasskey(deps, { viewer, device: getDeviceLabel(request), sessionId }, body)
  })

  registerEndpoint(app, endpoints.renamePasskey, ({ viewer, params, body }) =>
    renamePasskey(deps.db, viewer, params.id, body.name),
  )

  registerEndpoint(app, endpoints.removePasskey, async (request) => {
    const { viewer, params, body } = request
    const confirmedHash = await confirmPassword(request, viewer, body.currentPassword)
    await removePasskey(deps, { viewer, device: getDeviceLabel(request), confirmedHash }, params.id)
    return null
  })

  registerEndpoint(app, endpoints.createPasskeyLoginOptions, async ({ ip }) => {
    await deps.rateLimits.consume(loginLimit, getIpKey(ip))
    return createLoginOptions(deps)
  })

  registerEndpoint(app, endpoints.logInWithPasskey, async (request, reply) => {
    const findDevice = (email: string) => login.findDevice(request, email)
    const { started, device } = await logInWithPasskey(deps, request.body, findDevice)
    return login.answer(reply, started, device)
  })
}
