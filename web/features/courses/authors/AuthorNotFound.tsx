import { CenteredPage } from '../../../platform/layout/CenteredPage.tsx'
import * as paths from '../../../platform/paths.ts'
import { ButtonLink } from '../../../platform/ui/Button.tsx'

/** Looks the same for a user who shares no notes by name and for an unknown id, so that accounts are not revealed. */
export function AuthorNotFound() {
  return (
    <CenteredPage
      drawing="lost"
      title="Author not found"
      text="This author doesn’t exist or has no notes with their name."
    >
      <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>
    </CenteredPage>
  )
}
