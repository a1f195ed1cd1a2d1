import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

type ErrorStateProps = { title: string; query: { isFetching: boolean; refetch: () => Promise<unknown> } }

/** Replaces a list that could not be loaded. */
export const ErrorState = ({ title, query }: ErrorStateProps) => (
  <EmptyState
    title={title}
    drawing="broken"
    action={
      <Button variant="secondary" busy={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    }
  />
)
