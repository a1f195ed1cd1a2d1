import type { SVGProps } from 'react'
import icons from './icons.svg?no-inline'
import { classNames } from './layout.tsx'
import './icon.css'

type Words<Text, Found = never> = Text extends `${infer Word} ${infer Rest}` ? Words<Rest, Found | Word> : Found | Text
export type IconName =
  Words<'arrow-left arrow-right bell-plus bell-ring book-open check check-check chevron-down chevron-left chevron-right chevron-up circle-check circle-dashed circle-exclamation-point copy dot download ellipsis expand external-link eye eye-off file-plus-corner file-search file-text files flag graduation-cap heart key-round keyboard layout-grid library list-checks loader-circle lock log-out mail-check mail-x maximize minus monitor moon move-horizontal panel-left pencil plus printer rotate-cw rows-3 scale search settings share-2 shield-exclamation-point square-terminal sun text-quote thumbs-down thumbs-up trash upload user-round user-round-search wifi-off x'>

/** A Lucide icon (licence in icons.LICENSE). icons.svg contains only those in use. `size` is in rem. */
export const Icon = ({ name, size = 1.25, ...rest }: SVGProps<SVGSVGElement> & { name: IconName; size?: number }) => (
  <svg
    viewBox="0 0 24 24"
    width={`${size}rem`}
    height={`${size}rem`}
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    {...rest}
  >
    <use href={`${icons}#${name}`} />
  </svg>
)

export type IllustrationName = Words<'shelf search heart eye upload lost broken letter done clock'>

export const Illustration = ({ name }: { name: IllustrationName }) => (
  <svg viewBox="0 0 160 110" className="illustration" aria-hidden="true">
    <use href={`${icons}#drawing-${name}`} />
  </svg>
)

/** The first letter of a name, in a circle. */
export const Initial = ({ name, className }: { name: string; className?: string }) => (
  <span className={classNames('text-serif initial', className)} aria-hidden="true">
    {[...name.trim()][0]?.toUpperCase() ?? 'U'}
  </span>
)
