import { Icon } from '../../platform/ui/Icon.tsx'
import './item-thumbnail.css'

/** Shows the first page as a small sheet. The sheet is empty until the page is drawn or if drawing fails. */
export function ItemThumbnail({ thumbnail }: { thumbnail: string | null }) {
  return (
    <div className="row-sheet" aria-hidden="true">
      {thumbnail === null ? <Icon name="file-text" strokeWidth={1.25} /> : <img src={thumbnail} alt="" />}
    </div>
  )
}
