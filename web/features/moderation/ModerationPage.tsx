import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type RefObject, useRef } from 'react'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import type { ModerationCase } from '../../../packages/contract/moderation.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { ApiError } from '../../platform/api/client.ts'
import { ensureClientConfig } from '../../platform/api/config.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { Component as NotFoundPage } from '../../platform/layout/NotFoundPage.tsx'
import type { PageHandle } from '../../platform/layout/page-handle.ts'
import * as paths from '../../platform/paths.ts'
import { fetchCurrentUser } from '../../platform/session/load-session.ts'
import { ButtonLink, TextLink } from '../../platform/ui/Button.tsx'
import { EmptyState } from '../../platform/ui/EmptyState.tsx'
import { Stack, Text } from '../../platform/ui/layout.tsx'
import { LoadMore } from '../notes/list/LoadMore.tsx'
import { CaseCard } from './CaseCard.tsx'
import { caseQuery, hiddenQuery, queueQuery } from './moderation-queries.ts'

/** The only note to show, if any. Null: the viewer gets the 404 page. */
type Loaded = { noteId: string | null } | null

export const handle = { title: (loaded) => (loaded ? 'Moderation' : '404 Page Not Found') } satisfies PageHandle<Loaded>

export async function loader({ request }: LoaderFunctionArgs): Promise<Loaded> {
  const noteId = new URL(request.url).searchParams.get('note')
  try {
    await Promise.all([
      ...(noteId === null
        ? [queryClient.fetchQuery(queueQuery), queryClient.fetchInfiniteQuery(hiddenQuery)]
        : [queryClient.fetchQuery(caseQuery(noteId))]),
      ensureClientConfig(),
    ])
    return { noteId }
  } catch (failure) {
    if (!(failure instanceof ApiError && [400, 403, 404].includes(failure.status))) throw failure
    // Without the role, which the user may have lost. An invalid note id and the moderator's own note give it too.
    void fetchCurrentUser().catch(() => {})
    return null
  }
}

const isMissing = (failure: unknown) => failure instanceof ApiError && failure.code === 'not_found'

/** The pending cases and hidden notes. Other users get the 404 page. */
export function Component() {
  const loaded = useLoaderData<Loaded>()
  if (loaded === null) return <NotFoundPage />
  return loaded.noteId === null ? <Moderation /> : <OneNote noteId={loaded.noteId} />
}

function Moderation() {
  const { data: queue, error } = useQuery(queueQuery)
  const hidden = useInfiniteQuery(hiddenQuery)
  const waitingTitle = useRef<HTMLHeadingElement>(null)
  const hiddenTitle = useRef<HTMLHeadingElement>(null)
  // The user lost the role after the page was loaded.
  if (isMissing(error)) return <NotFoundPage />
  if (queue === undefined || hidden.data === undefined) return null
  const waiting = new Set(queue.matters.map(({ note }) => note._id))
  const hiddenNotes = hidden.data.pages.flatMap(({ notes }) => notes).filter(({ _id }) => !waiting.has(_id))
  return (
    <Stack gap={0} maxWidth={60} className="page">
      <h1 className="page-title">Moderation</h1>
      <Intro />
      <Stack as="section" gap={1.25} top={2} aria-labelledby="waiting-title">
        <h2 ref={waitingTitle} id="waiting-title" tabIndex={-1}>
          Needs review
        </h2>
        {queue.matters.length === 0 ? (
          <EmptyState
            title="You’re all caught up."
            action={
              <ButtonLink variant="secondary" to={paths.decisions()}>
                View moderation log
              </ButtonLink>
            }
          >
            <p>Reported notes appear here, oldest first. Reports on your own notes go to other moderators.</p>
          </EmptyState>
        ) : (
          queue.matters.map((moderationCase) => (
            <CaseCard
              key={moderationCase.note._id}
              moderationCase={moderationCase}
              onDecided={() => focusAfter(moderationCase.note, waitingTitle)}
            />
          ))
        )}
        {queue.isAlone && (
          <Text tone="soft" maxWidth={44} top={0.75}>
            You’re the only moderator. Reports on your own notes wait until an admin adds another one.
          </Text>
        )}
        {queue.hasMore && (
          <Text tone="soft" maxWidth={44} top={0.75}>
            More will appear as you work through these.
          </Text>
        )}
      </Stack>
      {hiddenNotes.length > 0 && (
        <Stack as="section" gap={1.25} top={2} aria-labelledby="hidden-title">
          <h2 ref={hiddenTitle} id="hidden-title" tabIndex={-1}>
            Hidden notes
          </h2>
          {hiddenNotes.map((note) => (
            <CaseCard
              key={note._id}
              moderationCase={hiddenCase(note)}
              onDecided={() => focusAfter(note, hiddenNotes.length > 1 ? hiddenTitle : waitingTitle)}
            />
          ))}
          <LoadMore list={hidden} />
        </Stack>
      )}
    </Stack>
  )
}

const hiddenCase = (note: Note): ModerationCase => ({ note, reports: [], questions: [], isObjectionDecided: false })

const Intro = () => (
  <Text tone="soft" maxWidth={44} top={0.75}>
    Reporters and anonymous authors stay anonymous, even to you. Your decisions are published in the{' '}
    <TextLink to={paths.decisions()}>moderation log</TextLink> without your name.
  </Text>
)

function focusAfter({ _id }: Note, title: RefObject<HTMLHeadingElement | null>): void {
  const sheet = document.getElementById(`matter-${_id}`)?.closest('article')
  const next = sheet?.nextElementSibling?.querySelector<HTMLElement>('h3') ?? title.current
  next?.focus()
}

/** One note at its own address, with all decisions that are possible now. */
function OneNote({ noteId }: { noteId: string }) {
  const { data: moderationCase, error } = useQuery(caseQuery(noteId))
  const title = useRef<HTMLHeadingElement>(null)
  if (moderationCase === undefined) return null
  if (isMissing(error)) return <NotFoundPage />
  return (
    <Stack gap={0} maxWidth={60} className="page">
      <h1 ref={title} tabIndex={-1} className="page-title">
        Moderation
      </h1>
      <Intro />
      <Stack as="section" gap={1.25} top={2} aria-labelledby="one-note-title">
        <h2 id="one-note-title">Note</h2>
        <CaseCard moderationCase={moderationCase} onDecided={() => title.current?.focus()} />
        <Text tone="soft" maxWidth={44} top={0.75}>
          <TextLink to={paths.moderation()}>Back to the queue</TextLink>
        </Text>
      </Stack>
    </Stack>
  )
}
