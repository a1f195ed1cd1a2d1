import type { ReactNode } from 'react'
import './drawing.css'

export type DrawingName =
  | 'shelf'
  | 'search'
  | 'heart'
  | 'eye'
  | 'upload'
  | 'lost'
  | 'broken'
  | 'letter'
  | 'done'
  | 'clock'

/** A sheet of notes, to be drawn on. */
const sheet = (
  <>
    <path className="drawing-paper" d="M52 14h44l16 16v66H52Z" />
    <path className="drawing-faint" d="M64 44h36M64 56h36M64 68h36M64 80h22" />
    <path className="drawing-paper" d="M96 14v16h16" />
  </>
)

/** Lines of our own hand: ink, paper, and one stroke of marigold each. */
const drawings: Record<DrawingName, ReactNode> = {
  shelf: (
    <>
      <path className="drawing-paper" d="M30 44h16v48H30ZM46 34h14v58H46ZM114 40h16v52h-16Z" />
      <path className="drawing-mark" d="M75 39l14-4 14 54-14 4Z" />
      <path d="M75 39l14-4 14 54-14 4ZM36 54h4M52 46h2M120 50h4" />
      <path d="M18 92h124M28 92v8M132 92v8" />
    </>
  ),
  search: (
    <>
      {sheet}
      <path className="drawing-mark-line" d="M64 56h30" />
      <circle className="drawing-paper" cx="104" cy="70" r="19" />
      <path className="drawing-mark-line" d="M94 70h14" />
      <path d="m118 84 16 16" strokeWidth="5" />
    </>
  ),
  heart: (
    <>
      {sheet}
      <path className="drawing-mark" d="M106 98C90 88 82 79 82 69a12 12 0 0 1 24-4 12 12 0 0 1 24 4c0 10-8 19-24 29Z" />
      <path d="M106 98C90 88 82 79 82 69a12 12 0 0 1 24-4 12 12 0 0 1 24 4c0 10-8 19-24 29Z" />
    </>
  ),
  eye: (
    <>
      <path
        className="drawing-paper"
        d="M80 32C66 22 46 20 26 24v62c20-4 40-2 54 8 14-10 34-12 54-8V24c-20-4-40-2-54 8Z"
      />
      <path
        className="drawing-faint"
        d="M38 40c10-1 20 0 30 5M38 54c10-1 20 0 30 5M38 68c10-1 20 0 30 5M92 59c10-5 20-6 30-5M92 73c10-5 20-6 30-5"
      />
      <path className="drawing-mark-line" d="M92 44c10-5 20-6 30-5" />
      <path d="M80 32v62" />
    </>
  ),
  upload: (
    <>
      <path className="drawing-paper" d="M58 12h34l12 12v48H58Z" />
      <path className="drawing-paper" d="M92 12v12h12" />
      <path className="drawing-mark-line" d="M81 62V38m-9 8 9-9 9 9" />
      <path className="drawing-paper" d="M30 66h26l6 12h38l6-12h24v30H30Z" />
    </>
  ),
  lost: (
    <>
      <path d="M18 96h124" />
      <path className="drawing-paper" d="M72 76h16l4 20H68Z" />
      <path className="drawing-paper" d="M42 54h76l10 22H32Z" />
      <path className="drawing-mark-line" d="M74 20c0-8 14-9 14 0 0 7-8 6-8 14" />
      <path d="M80 43.5v.2" strokeWidth="5" stroke="var(--marigold)" />
      <path className="drawing-faint" d="M50 65h60" strokeDasharray="5 6" />
    </>
  ),
  letter: (
    <>
      <path className="drawing-paper" d="M48 14h64v60H48Z" />
      <path className="drawing-faint" d="M60 26h40M60 36h40" />
      <path className="drawing-mark-line" d="M60 46h26" />
      <path className="drawing-paper" d="M30 44l50 34 50-34v54H30Z" />
      <path d="m30 98 36-30M130 98 94 68" />
    </>
  ),
  done: (
    <>
      {sheet}
      <circle className="drawing-mark" cx="108" cy="80" r="21" />
      <path d="m99 80 7 7 12-14" strokeWidth="4" stroke="var(--on-marigold)" />
      <circle cx="108" cy="80" r="21" />
    </>
  ),
  clock: (
    <>
      {sheet}
      <circle className="drawing-paper" cx="106" cy="76" r="22" />
      <path className="drawing-mark" d="M106 76V58a18 18 0 0 1 18 18Z" />
      <path d="M106 60v16h12" />
    </>
  ),
  broken: (
    <>
      <path className="drawing-paper" d="M52 14h44l16 16v24l-14-7-10 11-12-10-12 9-12-8Z" />
      <path className="drawing-faint" d="M64 28h24M64 40h14" />
      <path className="drawing-paper" d="M52 66l12 8 12-9 12 10 10-11 14 7v27H52Z" />
      <path className="drawing-mark-line" d="M64 88h24" />
      <path className="drawing-faint" d="M28 52l8 4M26 68l9-2M134 50l-8 5M136 68l-9-3" />
    </>
  ),
}

export function Drawing({ name }: { name: DrawingName }) {
  return (
    <svg viewBox="0 0 160 110" className="drawing" aria-hidden="true">
      {drawings[name]}
    </svg>
  )
}
