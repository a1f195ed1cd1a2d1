import { Icon } from '../../platform/ui/Icon.tsx'
import './item-thumbnail.css'

/** The first page as a small sheet; an empty one until it is drawn, and where it cannot be. */
export function ItemThumbnail({ thumbnail }: { thumbnail: string | null }) {
  return (
    <div className="row-sheet" aria-hidden="true">
      {thumbnail === null ? <Icon name="file-text" strokeWidth={1.25} /> : <img src={thumbnail} alt="" />}
    </div>
  )
}
