import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link, useLoaderData } from 'react-router'
import { ApiError } from '../api/client.ts'
import { ensureClientConfig } from '../api/config.ts'
import { queryClient } from '../api/query-client.ts'
import { Component as NotFoundPage } from '../layout/NotFoundPage.tsx'
import * as paths from '../paths.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { MatterSheet } from './MatterSheet.tsx'
import './moderation-page.css'
import { hiddenQuery, queueQuery } from './moderation-queries.ts'

/** Whether there is such a page for who asks: the server says. */
type Loaded = boolean

export const handle = { title: (isThere: Loaded) => (isThere ? 'Moderation' : '404 Page Not Found') }

export async function loader(): Promise<Loaded> {
  try {
    // Others decide meanwhile: what was told on an earlier visit is old.
    await Promise.all([
      queryClient.fetchQuery({ ...queueQuery, staleTime: 0 }),
      queryClient.fetchQuery({ ...hiddenQuery, staleTime: 0 }),
      ensureClientConfig(),
    ])
    return true
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === 'not_found') return false
    throw failure
  }
}

/** What waits for a decision, and what is hidden; to others, an address where nothing lies. */
export const Component = () => (useLoaderData<Loaded>() ? <Moderation /> : <NotFoundPage />)

function Moderation() {
  const { data: queue } = useQuery(queueQuery)
  const { data: hidden } = useQuery(hiddenQuery)
  const waitingTitle = useRef<HTMLHeadingElement>(null)
  const hiddenTitle = useRef<HTMLHeadingElement>(null)
  // The keyboard goes on above what is left.
  const focus = (title: typeof waitingTitle) => () => title.current?.focus({ preventScroll: true })
  if (queue === undefined || hidden === undefined) return null
  const waiting = new Set(queue.matters.map(({ note }) => note._id))
  const decided = hidden.notes.filter(({ _id }) => !waiting.has(_id))
  return (
    <div className="page moderation-page">
      <h1 className="page-title">Moderation</h1>
      <p className="moderation-page-text">
        Who reported a note is told to nobody, and an anonymous author stays unknown to you, too. What you decide and
        why, all members read in the{' '}
        <Link to={paths.decisions()} className="link">
          log of decisions
        </Link>
        ; not that it was you.
      </p>
      <section aria-labelledby="waiting-title" className="moderation-page-section">
        <h2 ref={waitingTitle} id="waiting-title" tabIndex={-1}>
          Waiting for a decision
        </h2>
        {queue.matters.length === 0 ? (
          <EmptyState
            title="Nothing waits for you."
            action={
              <ButtonLink variant="secondary" to={paths.decisions()}>
                Read what was decided
              </ButtonLink>
            }
          >
            <p>What students report comes here, the oldest first. Notes of your own go to other moderators.</p>
          </EmptyState>
        ) : (
          queue.matters.map((matter) => (
            <MatterSheet key={matter.note._id} matter={matter} onDecided={focus(waitingTitle)} />
          ))
        )}
        {queue.isAlone && (
          <p className="moderation-page-text">
            You are the only moderator. What is reported of your own notes waits until an admin has named another one.
          </p>
        )}
        {queue.hasMore && <p className="moderation-page-text">More comes when some of these are decided.</p>}
      </section>
      {decided.length > 0 && (
        <section aria-labelledby="hidden-title" className="moderation-page-section">
          <h2 ref={hiddenTitle} id="hidden-title" tabIndex={-1}>
            Hidden notes
          </h2>
          {decided.map((note) => (
            <MatterSheet key={note._id} matter={{ note, reports: [] }} onDecided={focus(hiddenTitle)} />
          ))}
          {hidden.hasMore && <p className="moderation-page-text">Those hidden longer ago are not shown.</p>}
        </section>
      )}
    </div>
  )
}
