import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** A course with its new notes: how many, and where they are. */
export type CourseNews = { course: string; notes: number; link: string }

/**
 * To a student who asked for it: what is new in the courses they follow, one line for each. Neither titles nor authors,
 * which anybody may have chosen to be read in a mail of ours.
 */
export function courseNewsMail(
  to: string,
  name: string,
  publicUrl: string,
  { news, frequency, unsubscribeLink }: { news: CourseNews[]; frequency: 'daily' | 'weekly'; unsubscribeLink: string },
): Mail {
  const mail = writeLetter({
    to,
    name,
    subject: 'New notes in your courses',
    paragraphs: ['This is new in the courses you follow:'],
    entries: news.map(({ course, notes, link }) => ({
      label: course,
      detail: notes === 1 ? '1 new note' : `${notes} new notes`,
      link,
    })),
    action: {
      label: 'See your courses',
      link: `${publicUrl}/courses`,
      explained: 'It opens your courses, where you also choose how often they write.',
    },
    links: [{ label: 'No more of these mails', link: unsubscribeLink }],
    smallPrint: [
      `You get this mail at most once a ${frequency === 'daily' ? 'day' : 'week'}, because you asked for it.`,
    ],
  })
  return { ...mail, unsubscribeLink }
}
