import { confirmEmail } from '../../../packages/contract/settings.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { EmailLinkPage } from '../auth/EmailLinkPage.tsx'

/** The target of the link that is sent to a new address. */
export const Component = () => (
  <EmailLinkPage
    title="New Email"
    question="One click, and your account has this email: this tells us that the mailbox is really yours."
    action="Confirm my email"
    icon={<Icon name="mail-check" />}
    onConfirm={(token) => api.call(confirmEmail, { body: { token } })}
    refusal="email_link_invalid"
    onward={<ButtonLink to={paths.settings()}>Go to the settings</ButtonLink>}
    done="Your email was changed. Log in with the new one from now on."
  />
)
