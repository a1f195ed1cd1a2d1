import { unsubscribeFromDigest } from '../../../packages/contract/courses.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { EmailLinkPage } from '../auth/EmailLinkPage.tsx'

/** The target of the unsubscribe link in digest mails. */
export const Component = () => (
  <EmailLinkPage
    title="Course emails"
    question="One click, and Lectern mails you no more about new notes in your courses."
    action="No more mails"
    icon={<Icon name="mail-x" />}
    onConfirm={(token) => api.call(unsubscribeFromDigest, { query: { token } })}
    refusal="unsubscribe_link_invalid"
    onward={<ButtonLink to={paths.courses()}>Go to the courses</ButtonLink>}
    done="You will get no more of these mails. You still follow your courses, and their new notes are on your home page."
  />
)
