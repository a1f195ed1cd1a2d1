import { Skeleton } from '../../../platform/ui/Loading.tsx'
import { classNames, Stack } from '../../../platform/ui/layout.tsx'
import './card-grid.css'
import './note-card.css'
import './note-thumbnail.css'

export const CardGridSkeleton = ({ isCompact }: { isCompact: boolean }) => (
  <div className={classNames('card-grid-columns', isCompact && 'card-grid-compact')} aria-hidden="true">
    {Array.from({ length: 8 }, (_, at) => (
      <div key={at} className="card-grid-place">
        <CardSkeleton />
      </div>
    ))}
  </div>
)

export const CardSkeleton = ({ isRow = false }: { isRow?: boolean }) => (
  <div className={classNames('note-card note-card-skeleton cover-box spine', isRow && 'note-card-row')}>
    <div className="note-card-picture">
      <div className="note-thumbnail">
        <Skeleton className="note-card-skeleton-page" />
      </div>
    </div>
    <div className="note-card-body">
      <Stack gap={0.5} className="note-card-title">
        <Skeleton width={92} />
        <Skeleton width={60} />
      </Stack>
    </div>
  </div>
)
