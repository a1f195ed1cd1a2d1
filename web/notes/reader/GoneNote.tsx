import { SinglePage } from '../../layout/SinglePage.tsx'
import '../../layout/single-page.css'
import * as paths from '../../paths.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Drawing } from '../../ui/Drawing.tsx'

/** Where a note was that its author has deleted. */
export function GoneNote() {
  return (
    <SinglePage>
      <Drawing name="lost" />
      <h1 className="page-title">This note is gone</h1>
      <p className="single-page-text">This note does not exist or has been deleted.</p>
      <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>
    </SinglePage>
  )
}
