import { unsubscribeFromDigest } from '../../../packages/contract/courses.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'
import { EmailLinkPage } from '../auth/EmailLinkPage.tsx'

/** The target of the unsubscribe link in digest mails. */
export const Component = () => (
  <EmailLinkPage
    title="Course emails"
    question="Stop getting emails about new notes in your courses?"
    action="Unsubscribe"
    icon="mail-x"
    onConfirm={(token) => api.call(unsubscribeFromDigest, { query: { token } })}
    refusal="unsubscribe_link_invalid"
    onward={<ButtonLink to={paths.courses()}>Go to Courses</ButtonLink>}
    done="You’re unsubscribed. You still follow your courses and see their new notes on your home page."
  />
)
