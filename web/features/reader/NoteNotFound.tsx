import { CenteredPage } from '../../platform/layout/CenteredPage.tsx'
import * as paths from '../../platform/paths.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'

/** Replaces the reader of a deleted note. */
export function NoteNotFound() {
  return (
    <CenteredPage drawing="lost" title="Note not found" text="This note does not exist or has been deleted.">
      <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>
    </CenteredPage>
  )
}
