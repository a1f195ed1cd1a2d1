/** Returns the first word of the name, or "User" if the name is empty (SPEC.md section 1). */
export const firstName = (name: string | undefined): string => name?.trim().split(/\s+/u)[0] || 'User'

/** The welcome banner shows one of these at a time under the greeting. */
export const taglines: readonly string[] = [
  'Your margin scribbles are someone’s missing lecture.',
  'One upload from you, one less all-nighter for them.',
  'Good notes travel. Pack yours.',
  'Share a page. Someone’s highlighter will thank you.',
  'The best study group fits in a PDF.',
  'Be the person you texted at 2 a.m. before the final.',
  'Knowledge grows when you give it away. So does sourdough.',
  'Somewhere a classmate squints at a blurry photo of the board.',
  'Your colour-coding deserves an audience.',
  'Today’s tidy summary is tomorrow’s rescued grade.',
  'No note is too neat to share. Or too messy.',
  'Leave the library a little fuller than you found it.',
  'Pass it on: the notes, not the cold going round campus.',
  'Somewhere a friend is missing week seven.',
  'Even Newton stood on shoulders. Lend yours.',
  'Karma comes back as a perfectly explained proof.',
  'You took notes. Take a bow, then take them to Upload.',
  'Half of learning is explaining. The other half is snacks.',
  'Your future self needs these notes too. Help you both.',
  'Be someone’s plot twist: the missing chapter, found.',
  'Cheaper than a tutor, kinder than the grading curve.',
  'Semicolons are for lists; notes are for sharing.',
  'Every like is a silent “you saved me”.',
  'Turn “did anyone write that down?” into “yes, here”.',
  'Sharing is caring, and also excellent revision.',
  'Your diagrams walked so someone’s essay could run.',
  'Help one person understand one thing. That’s a good day.',
  'Plot: you upload. Twist: forty strangers pass.',
]

/**
 * Returns the index of the next tagline: any except the last one, with equal probability.
 * @param shown the index of the last tagline, or null if none was shown yet.
 * @param random a number from 0, inclusive, to 1, exclusive.
 */
export function nextTagline(shown: number | null, random: number, count: number = taglines.length): number {
  if (shown === null || shown < 0 || shown >= count) return Math.floor(random * count)
  const step = 1 + Math.floor(random * (count - 1))
  return (shown + step) % count
}
