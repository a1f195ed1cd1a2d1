import { type ComponentProps, type CSSProperties, createElement, type ElementType, type ReactNode } from 'react'
import './layout.css'

/** Joins class names and skips empty values. */
export const classNames = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')

/** Distances are in rem. */
type Look = {
  gap?: number | [row: number, column: number]
  top?: number
  bottom?: number
  align?: CSSProperties['alignItems']
  justify?: CSSProperties['justifyContent']
  maxWidth?: number | string
  /** For grids: the column width, repeated to fill the row, or a template. */
  columns?: number | string
  tone?: 'soft' | 'faint' | 'danger' | 'success' | undefined
  size?: 'small' | 'medium' | 'large'
  isStrong?: boolean
  isSerif?: boolean
  /** Digits of equal width, for counts and times. */
  isCount?: boolean
  /** A single line with an ellipsis on overflow. */
  isCut?: boolean
  /** A user's text, whose line breaks are kept. */
  isWritten?: boolean
}

type BoxProps<Tag extends ElementType> = Look & { as?: Tag } & Omit<ComponentProps<Tag>, keyof Look | 'as'>

const rem = (value: number | string | undefined) => (typeof value === 'number' ? `${value}rem` : value)

const makeBox = (kind: string, element: ElementType) =>
  function Box<Tag extends ElementType = 'div'>(props: BoxProps<Tag>) {
    const {
      as = element,
      gap,
      top,
      bottom,
      align,
      justify,
      maxWidth,
      columns,
      className,
      style,
      ...others
    } = props as BoxProps<'div'>
    const { tone, size, isStrong, isSerif, isCount, isCut, isWritten, ...rest } = others
    return createElement(as, {
      ...rest,
      className: classNames(
        kind,
        tone && `text-${tone}`,
        size && `text-${size}`,
        isStrong && 'text-strong',
        isSerif && 'text-serif',
        isCount && 'text-count',
        isCut && 'text-cut',
        isWritten && 'text-written',
        className,
      ),
      style: {
        gap: Array.isArray(gap) ? gap.map(rem).join(' ') : rem(gap),
        marginTop: rem(top),
        marginBottom: rem(bottom),
        alignItems: align,
        justifyContent: justify,
        maxWidth: rem(maxWidth),
        gridTemplateColumns:
          typeof columns === 'number' ? `repeat(auto-fill, minmax(min(${columns}rem, 100%), 1fr))` : columns,
        ...style,
      },
    })
  }

export const Stack = makeBox('stack', 'div')
export const Row = makeBox('row', 'div')
export const Grid = makeBox('grid', 'div')
export const Sheet = makeBox('sheet sheet-padded', 'div')
/** Text that wraps long words instead of overflowing. */
export const Text = makeBox('text', 'p')

/** A sheet with a second one of the same width below it. */
export const Card = ({ className, ...rest }: ComponentProps<'section'>) => (
  <div className={classNames('card', className)}>
    <section {...rest} className="sheet card-sheet" />
  </div>
)

type SectionProps = { id: string; title: ReactNode; text?: ReactNode; children: ReactNode }

/** A titled sheet with its actions beside the title. */
export const Section = ({ id, title, text, children }: SectionProps) => (
  <Sheet as="section" id={id} aria-labelledby={`${id}-title`} className="section">
    <div>
      <h2 id={`${id}-title`}>{title}</h2>
      {text && (
        <Text tone="soft" top={0.375}>
          {text}
        </Text>
      )}
    </div>
    <div>{children}</div>
  </Sheet>
)

/** Announces a change to screen readers that others can see. */
export const HiddenStatus = ({ children }: { children: ReactNode }) => (
  <p role="status" className="visually-hidden">
    {children}
  </p>
)
