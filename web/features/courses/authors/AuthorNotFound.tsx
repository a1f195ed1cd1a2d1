import { CenteredPage } from '../../../platform/layout/CenteredPage.tsx'
import * as paths from '../../../platform/paths.ts'
import { ButtonLink } from '../../../platform/ui/Button.tsx'

/** Where nobody shares notes by name (any more): the same for everybody who does not, and for nobody at all. */
export function AuthorNotFound() {
  return (
    <CenteredPage drawing="lost" title="No author here" text="Nobody shares notes by name at this address.">
      <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>
    </CenteredPage>
  )
}
