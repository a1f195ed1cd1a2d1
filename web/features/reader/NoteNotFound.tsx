import { CenteredPage } from '../../platform/layout/CenteredPage.tsx'
import * as paths from '../../platform/paths.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'

/** Where a note was that its author has deleted. */
export function NoteNotFound() {
  return (
    <CenteredPage drawing="lost" title="This note is gone" text="This note does not exist or has been deleted.">
      <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>
    </CenteredPage>
  )
}
