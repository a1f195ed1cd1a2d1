import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Illustration, type IllustrationName } from './Icon.tsx'
import { Row, Stack, Text } from './layout.tsx'
import './empty-state.css'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  action?: ReactNode
  drawing?: IllustrationName
  isAnnounced?: boolean
}

/**
 * An empty list: the reason in the title, and the next step.
 * @param isAnnounced a status already announces the title, so it is hidden from screen readers.
 */
export const EmptyState = ({ title, children, action, drawing = 'shelf', isAnnounced }: EmptyStateProps) => (
  <Stack align="center" gap={0.5} className="empty-state">
    <Illustration name={drawing} />
    <Text isSerif maxWidth={32} className="empty-state-title" aria-hidden={isAnnounced}>
      {title}
    </Text>
    {children && (
      <Text as="div" tone="soft" maxWidth="65ch">
        {children}
      </Text>
    )}
    {action && (
      <Row justify="center" top={0.75}>
        {action}
      </Row>
    )}
  </Stack>
)

type ErrorStateProps = { title: string; query: { isFetching: boolean; refetch: () => Promise<unknown> } }

/** Replaces a list that could not be loaded. */
export const ErrorState = ({ title, query }: ErrorStateProps) => (
  <EmptyState
    title={title}
    drawing="broken"
    action={
      <Button busy={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    }
  />
)
