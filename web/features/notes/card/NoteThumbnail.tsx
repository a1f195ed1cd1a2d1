import { type CSSProperties, type ReactNode, useState } from 'react'
import { getThumbnail } from '../../../../packages/contract/documents.endpoints.ts'
import type { ThumbnailFile } from '../../../../packages/contract/documents.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import { classNames } from '../../../platform/ui/layout.tsx'
import { placeholderText } from './placeholder-text.ts'
import './note-thumbnail.css'

type NoteThumbnailProps = {
  note: Pick<Note, 'title' | 'courseCode' | 'document'>
  /** Replaces the thumbnail of the first page. */
  picture?: ReactNode
}

/**
 * Shows the first page of a note's file on a stack. Without a thumbnail it shows a blank sheet with `placeholderText`,
 * but nothing that the file may not contain.
 */
export function NoteThumbnail({ note: { title, courseCode, document }, picture }: NoteThumbnailProps) {
  const { pageCount, thumbnail } = document
  return (
    <div className={classNames('note-thumbnail', stackClass(pageCount ?? 1))} aria-hidden="true">
      <div className="note-thumbnail-page">
        <svg viewBox="0 0 100 141.4" role="presentation">
          <text x="50" y="44" textAnchor="middle" fontSize="30" className="note-thumbnail-mark">
            {placeholderText(title, courseCode)}
          </text>
          <path d="M38 56H62" stroke="var(--page-line)" strokeWidth="1.2" />
        </svg>
      </div>
      {picture ?? (thumbnail !== null && <ThumbnailImage key={thumbnail} thumbnail={thumbnail} />)}
    </div>
  )
}

const thickFrom = 10
const stackClass = (pages: number) =>
  pages >= thickFrom ? 'note-thumbnail-thick' : pages > 1 && 'note-thumbnail-stack'

const address = (thumbnail: string, file: ThumbnailFile) =>
  getThumbnail.path.replace(':key', thumbnail).replace(':file', file)

/** Limits of width divided by height. Pages outside of them are cropped or shown on a sheet of this shape. */
const ratios = { narrowest: 0.6, widest: 2 }

/** Width divided by height of thumbnails shown before. They do not fade in again when their card reappears. */
const known = new Map<string, number>()

/** Returns a thumbnail's class and style. @param ratio width divided by height; undefined while it is loading. */
export const pictureLook = (ratio: number | undefined) => ({
  className: classNames(
    'thumbnail-image',
    ratio !== undefined && 'thumbnail-image-shown',
    (ratio ?? 0) > 1 && 'thumbnail-image-landscape',
    (ratio ?? 0) > ratios.widest && 'thumbnail-image-strip',
  ),
  style: {
    '--ratio': Math.min(ratios.widest, Math.max(ratios.narrowest, ratio ?? ratios.narrowest)),
  } as CSSProperties,
})

/** Shows the thumbnail over its placeholder sheet; it stays invisible while it is loading or when it fails. */
function ThumbnailImage({ thumbnail }: { thumbnail: string }) {
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
