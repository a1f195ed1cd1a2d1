import { SinglePage } from '../layout/SinglePage.tsx'
import '../layout/single-page.css'
import * as paths from '../paths.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Drawing } from '../ui/Drawing.tsx'

/** Where nobody shares notes by name (any more): the same for everybody who does not, and for nobody at all. */
export function NoPerson() {
  return (
    <SinglePage>
      <Drawing name="lost" />
      <h1 className="page-title">No author here</h1>
      <p className="single-page-text">Nobody shares notes by name at this address.</p>
      <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>
    </SinglePage>
  )
}
