import { useQuery } from '@tanstack/react-query'
import { listRelatedNotes } from '../../../packages/contract/search.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import { currentMoment, upsertNotes } from '../notes/cache/note-cache.ts'
import { CardGrid } from '../notes/card/CardGrid.tsx'
import './related-notes.css'

/** Suggestions below the last page. Renders nothing if there are none or they cannot be loaded. */
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
