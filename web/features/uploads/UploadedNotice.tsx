import { useLocation } from 'react-router'
import * as paths from '../../platform/paths.ts'
import { TextLink } from '../../platform/ui/Button.tsx'
import { Text } from '../../platform/ui/layout.tsx'
import { countOf } from '../notes/format.ts'
import { listSome } from './format-list.ts'

/** Given to My Notes by the upload: the ids of the new notes, and how many other users follow their courses. */
export type UploadedState = { uploaded: { ids: string[]; followers: { courseCode: string; count: number }[] } }

export function UploadedNotice() {
  const { uploaded } = (useLocation().state ?? {}) as Partial<UploadedState>
  if (uploaded === undefined) return null
  const [id = '', ...others] = uploaded.ids
  const followed = uploaded.followers
    .filter(({ count }) => count > 0)
    .map(({ courseCode, count }) => `${count === 1 ? '1 person follows' : `${count} people follow`} ${courseCode}`)
  return (
    <Text role="status" tone="success" top={1.25}>
      {others.length === 0 ? 'Uploaded.' : `${countOf(uploaded.ids.length, 'note')} uploaded.`}
      {followed.length > 0 && ` ${listSome(followed)}.`}
      {others.length === 0 && (
        <>
          {' '}
          <TextLink to={paths.note(id)}>Open the note</TextLink>
        </>
      )}
    </Text>
  )
}
