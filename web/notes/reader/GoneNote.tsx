import { SinglePage } from '../../layout/SinglePage.tsx'
import * as paths from '../../paths.ts'
import { ButtonLink } from '../../ui/Button.tsx'

/** Where a note was that its author has deleted. */
export function GoneNote() {
  return (
    <SinglePage drawing="lost" title="This note is gone" text="This note does not exist or has been deleted.">
      <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>
    </SinglePage>
  )
}
