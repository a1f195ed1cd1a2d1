import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { queryClient } from '../../platform/api/query-client.ts'
import * as paths from '../../platform/paths.ts'
import { IconButton } from '../../platform/ui/Button.tsx'
import { focusHeading } from '../../platform/ui/browser.ts'
import { Icon } from '../../platform/ui/Icon.tsx'
import { classNames, Grid, Stack, Text } from '../../platform/ui/layout.tsx'
import { followedQuery, newNotesQuery } from '../courses/course-queries.ts'
import { useUserLists } from '../notes/cache/user-lists.ts'
import { countQuery } from '../notes/list/list-query.ts'
import { emptySearch } from '../search/search-params.ts'
import { useGoToSearch } from '../search/use-search-keys.ts'
import { continueReadingQuery } from './continue-reading-query.ts'
import { getSteps, markStep, type Step, steps } from './first-steps.ts'
import './first-steps.css'

const ownCountQuery = countQuery('mine', emptySearch)

const texts: Record<Step, { title: string; text: string; to?: string }> = {
  follow: { title: 'Follow your courses', text: 'Their new notes show up here.', to: paths.courses() },
  look: { title: 'Search for something you need this week', text: 'Search finds words inside the notes too.' },
  upload: { title: 'Upload one note', text: 'Next year’s students will thank you.', to: paths.upload() },
}

/** Loaders await this to avoid a layout shift. Nothing is requested when no step is open. */
export async function preloadFirstSteps(): Promise<void> {
  const states = getSteps()
  if (steps.every((step) => states[step] !== 'open')) return
  await Promise.all([queryClient.prefetchQuery(followedQuery), queryClient.prefetchQuery(ownCountQuery)])
}

/** Fills a home page without notes in progress or new notes, until all steps are done or dismissed. */
export function FirstSteps() {
  const [states, setStates] = useState(getSteps)
  const isAnyOpen = steps.some((step) => states[step] === 'open')
  const { data: followed } = useQuery({ ...followedQuery, enabled: isAnyOpen, retryOnMount: false })
  const { data: own } = useQuery({ ...ownCountQuery, enabled: isAnyOpen, retryOnMount: false })
  const hasViewed = useUserLists((lists) => (lists.recentlyViewedNotes?.length ?? 0) > 0)
  const { data: continued = [] } = useQuery({ ...continueReadingQuery, enabled: false })
  const { data: news = [] } = useQuery({ ...newNotesQuery, enabled: false })
  const goToSearch = useGoToSearch()
  const isDone = {
    follow: (followed?.courses.length ?? 0) > 0,
    look: hasViewed,
    upload: (own?.count ?? 0) > 0,
  }
  useEffect(() => {
    for (const step of steps) if (isDone[step] && states[step] === 'open') markStep(step, 'done')
  })
  const isTicked = (step: Step) => isDone[step] || states[step] === 'done'
  const listed = steps.filter((step) => states[step] !== 'dismissed')
  if (listed.every(isTicked) || (continued.length > 0 && news.length > 0)) return null
  return (
    <Stack as="section" gap={0.75} top={2} aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <Grid as="ul" gap={[0.75, 1]} columns="repeat(auto-fit, minmax(min(18rem, 100%), 1fr))">
        {listed.map((step) => (
          <StepCard
            key={step}
            {...texts[step]}
            isDone={isTicked(step)}
            onLook={goToSearch}
            onDismiss={() => {
              markStep(step, 'dismissed')
              setStates({ ...states, [step]: 'dismissed' })
              focusHeading()
            }}
          />
        ))}
      </Grid>
    </Stack>
  )
}

type StepCardProps = (typeof texts)[Step] & { isDone: boolean; onLook: () => void; onDismiss: () => void }

function StepCard({ title, text, to, isDone, onLook, onDismiss }: StepCardProps) {
  const named: ReactNode = (
    <>
      {title}
      {isDone && <span className="visually-hidden"> (done)</span>}
    </>
  )
  return (
    <li className={classNames('sheet cover-box first-steps-card', isDone && 'first-steps-card-done')}>
      <Icon name={isDone ? 'circle-check' : 'circle-dashed'} className={isDone ? 'text-success' : 'text-faint'} />
      <div>
        <h3>
          {to === undefined ? (
            <button type="button" className="first-steps-open cover-link" onClick={onLook}>
              {named}
            </button>
          ) : (
            <Link to={to} className="first-steps-open cover-link">
              {named}
            </Link>
          )}
        </h3>
        <Text tone="soft" size="medium">
          {text}
        </Text>
      </div>
      <IconButton
        icon="x"
        label={`Dismiss “${title}”`}
        title="Dismiss"
        className="first-steps-dismiss"
        onClick={onDismiss}
      />
    </li>
  )
}
