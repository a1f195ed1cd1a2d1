import { confirmEmail } from '../../../packages/contract/settings.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'
import { EmailLinkPage } from '../auth/EmailLinkPage.tsx'

/** The target of the link that is sent to a new address. */
export const Component = () => (
  <EmailLinkPage
    title="Confirm your new email"
    question="Confirm that this is your email address."
    action="Confirm email"
    icon="mail-check"
    onConfirm={(token) => api.call(confirmEmail, { body: { token } })}
    refusal="email_link_invalid"
    onward={<ButtonLink to={paths.settings()}>Go to settings</ButtonLink>}
    done="Email changed. Use it the next time you log in."
  />
)
