import { useQuery } from '@tanstack/react-query'
import { listRelatedNotes } from '../../../packages/contract/search.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import { currentMoment, upsertNotes } from '../notes/cache/note-cache.ts'
import { CardGrid } from '../notes/card/CardGrid.tsx'
import './related-notes.css'

/** Below the last page: what to read next. Nothing where there is nothing, or where it cannot be had. */
export function RelatedNotes({ noteId }: { noteId: string }) {
  const { data = [] } = useQuery({
    queryKey: ['related', noteId],
    queryFn: async ({ signal }) => {
      const askedAt = currentMoment()
      const { notes } = await api.call(listRelatedNotes, { params: { id: noteId }, signal })
      return upsertNotes(notes, askedAt)
    },
  })
  if (data.length === 0) return null
  return (
    <section className="related-notes" aria-labelledby="related-notes-title">
      <h2 id="related-notes-title">Related notes</h2>
      <CardGrid noteIds={data} />
    </section>
  )
}
