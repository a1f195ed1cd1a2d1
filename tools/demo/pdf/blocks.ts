import type { FigureSource } from '../courses.ts'
import type { Flow } from './flow.ts'

/** What a document says, whatever it looks like. */
export type Block =
  | { kind: 'title'; title: string; course: string; byline: string }
  | { kind: 'section'; text: string }
  /** Below a section. */
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'definition'; term: string; text: string }
  | { kind: 'fact'; label: string; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'formula'; text: string }
  | { kind: 'figure'; figure: FigureSource }
  | { kind: 'exercise'; text: string; points: number }
  | { kind: 'solution'; text: string }
  /** Goes on on a new page. */
  | { kind: 'break' }

/** How blocks look: one drawing for each kind. */
export type Look = { [K in Block['kind']]: (block: Extract<Block, { kind: K }>) => void }

/** A look at work on the pages of one document. */
export type DrawnLook = { look: Look; flow: Flow; paper: { width: number; height: number } }

export function drawBlock(look: Look, block: Block): void {
  const draw = look[block.kind] as (given: Block) => void
  draw(block)
}
