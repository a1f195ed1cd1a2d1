import type { DecisionKind } from '../../../packages/contract/moderation.ts'

type Texts = {
  /** The label of the button and title of its dialog. */
  action: string
  /** Explains the effect, whom it affects and how to undo it. */
  explained: string
  done: string
  /** The text in the log of decisions. */
  told: string
}

export const decisionTexts: Record<DecisionKind, Texts> = {
  keep: {
    action: 'Keep',
    explained: 'The note stays as it is, and its reports are closed. Its author is told only if you asked them.',
    done: 'The note stays as it is.',
    told: 'Kept',
  },
  correct: {
    action: 'Correct',
    explained: 'Course, year and instructor change at once. Its author is told why, and can change them again.',
    done: 'The note is corrected, and its author is told.',
    told: 'Corrected',
  },
  hide: {
    action: 'Hide',
    explained:
      'Nobody but its author and moderators finds or opens the note any more. Its author is told why and may object once; you can restore it with all its likes.',
    done: 'The note is hidden, and its author is told.',
    told: 'Hidden',
  },
  restore: {
    action: 'Restore',
    explained:
      'The note is there for everybody again, with all the likes it had. Its author is told. Open reports still wait for a decision.',
    done: 'The note is back, and its author is told.',
    told: 'Restored',
  },
  uphold: {
    action: 'Keep hidden',
    explained: 'The note stays hidden, and its author is told why. They cannot object again; you can still restore it.',
    done: 'The note stays hidden, and its author is told.',
    told: 'Hidden after an objection',
  },
}
