import { SinglePage } from '../../../platform/layout/CenteredPage.tsx'
import * as paths from '../../../platform/paths.ts'
import { ButtonLink } from '../../../platform/ui/Button.tsx'

/** Where nobody shares notes by name (any more): the same for everybody who does not, and for nobody at all. */
export function NoPerson() {
  return (
    <SinglePage drawing="lost" title="No author here" text="Nobody shares notes by name at this address.">
      <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>
    </SinglePage>
  )
}
