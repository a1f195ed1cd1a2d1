import type { DecisionKind } from '../../../packages/contract/moderation.ts'

type Texts = {
  /** The label of the button and title of its dialog. */
  action: string
  /** Explains the effect, whom it affects and how to undo it. */
  explained: string
  done: string
  /** The text in the moderation log. */
  outcome: string
}

export const decisionTexts: Record<DecisionKind, Texts> = {
  keep: {
    action: 'Keep',
    explained:
      'Closes the reports and leaves the note as it is. The author is only notified if you asked them something.',
    done: 'Reports closed.',
    outcome: 'Kept',
  },
  correct: {
    action: 'Correct',
    explained: 'Updates course, year and instructor now. The author sees the reason and can edit them again.',
    done: 'Note corrected. The author has been notified.',
    outcome: 'Corrected',
  },
  hide: {
    action: 'Hide',
    explained:
      'Only the author and moderators will see the note. The author sees the reason and can appeal once. You can restore it later with its likes.',
    done: 'Note hidden. The author has been notified.',
    outcome: 'Hidden',
  },
  restore: {
    action: 'Restore',
    explained:
      'Makes the note visible to everyone again, with its likes. The author is notified. Open reports still need a decision.',
    done: 'Note restored. The author has been notified.',
    outcome: 'Restored',
  },
  uphold: {
    action: 'Keep hidden',
    explained: 'Keeps the note hidden and tells the author why. They can’t appeal again, but you can still restore it.',
    done: 'Note stays hidden. The author has been notified.',
    outcome: 'Hidden after appeal',
  },
}
