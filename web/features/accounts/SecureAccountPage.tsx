import { secureAccount } from '../../../packages/contract/settings.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { session } from '../../platform/session/store.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'
import { EmailLinkPage } from '../auth/EmailLinkPage.tsx'
import { logOut } from '../auth/log-out.ts'

/** The target of the "This was not me" link in security mails. */
export const Component = () => (
  <EmailLinkPage
    title="Secure your account"
    question="This logs out all devices, removes all passkeys and disables your password. Next, you’ll set a new one."
    action="Secure my account"
    icon="shield-exclamation-point"
    onConfirm={disown}
    refusal="alert_link_invalid"
    onward={<ButtonLink to={paths.forgotPassword()}>Choose a new password</ButtonLink>}
  />
)

async function disown(token: string): Promise<void> {
  const { resetToken } = await api.call(secureAccount, { body: { token } })
  // The next page redirects signed-in users home, and the token would be lost.
  if (session.getState().user !== null) await logOut()
  // Reloads the document, so that no data of the previous user stays in memory.
  window.location.replace(`${paths.resetPassword()}?${new URLSearchParams({ token: resetToken })}`)
}
