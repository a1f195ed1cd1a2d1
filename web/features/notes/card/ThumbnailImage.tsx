import { type CSSProperties, useState } from 'react'
import { getThumbnail } from '../../../../packages/contract/documents.endpoints.ts'
import type { ThumbnailFile } from '../../../../packages/contract/documents.ts'
import { classNames } from '../../../platform/ui/class-names.ts'
import './thumbnail-image.css'

const address = (thumbnail: string, file: ThumbnailFile) =>
  getThumbnail.path.replace(':key', thumbnail).replace(':file', file)

/** Pages beyond these are shown in part, or on paper of this shape: a strip would be a line or a tower. */
const ratios = { narrowest: 0.6, widest: 2 }

/** Width by height of those that were shown: they need no fading in when their card comes back from far away. */
const known = new Map<string, number>()

/** How a picture lies on its sheet. @param ratio of its width and height; undefined while it is not here. */
export const pictureLook = (ratio: number | undefined) => ({
  className: classNames(
    'note-picture',
    ratio !== undefined && 'note-picture-shown',
    (ratio ?? 0) > 1 && 'note-picture-landscape',
    (ratio ?? 0) > ratios.widest && 'note-picture-strip',
  ),
  style: {
    '--ratio': Math.min(ratios.widest, Math.max(ratios.narrowest, ratio ?? ratios.narrowest)),
  } as CSSProperties,
})

/** The picture of a note's first page, over the sheet that holds its place. Nothing while it is loading, or where it fails. */
export function ThumbnailImage({ thumbnail }: { thumbnail: string }) {
  const [ratio, setRatio] = useState(() => known.get(thumbnail))
  return (
    <div {...pictureLook(ratio)}>
      <img
        src={address(thumbnail, 'small.webp')}
        srcSet={`${address(thumbnail, 'small.webp')} 320w, ${address(thumbnail, 'large.webp')} 640w`}
        sizes="15rem"
        width={320}
        height={453}
        alt=""
        loading="lazy"
        decoding="async"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          known.set(thumbnail, naturalWidth / naturalHeight)
          setRatio(naturalWidth / naturalHeight)
        }}
      />
    </div>
  )
}
