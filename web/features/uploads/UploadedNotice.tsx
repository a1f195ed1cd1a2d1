import { skipToken, useQuery } from '@tanstack/react-query'
import * as paths from '../../platform/paths.ts'
import { TextLink } from '../../platform/ui/Button.tsx'
import { Text } from '../../platform/ui/layout.tsx'
import { type LastUpload, lastUploadKey } from '../notes/cache/user-lists.ts'
import { countOf } from '../notes/format.ts'
import { listSome } from './format-list.ts'

export function UploadedNotice() {
  const { data: uploaded } = useQuery<LastUpload>({ queryKey: lastUploadKey, queryFn: skipToken })
  const [id, ...others] = uploaded?.ids ?? []
  if (uploaded === undefined || id === undefined) return null
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
