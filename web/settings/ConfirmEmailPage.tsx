import { confirmEmail } from '../../contract/settings.endpoints.ts'
import { LinkPage } from '../accounts/LinkPage.tsx'
import { api } from '../api/client.ts'
import * as paths from '../paths.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'

/** Where the link in a new mailbox leads. */
export const Component = () => (
  <LinkPage
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
