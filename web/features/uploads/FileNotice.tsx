import type { ReactNode } from 'react'
import './file-notice.css'
import { Grid, Row } from '../../platform/ui/layout.tsx'

type FileNoticeProps = {
  icon: ReactNode
  /** True if the notice asks a question that blocks the upload of the file. */
  isOpen?: boolean
  children: ReactNode
  /** The buttons of the notice. */
  choices?: ReactNode
}

export function FileNotice({ icon, isOpen = false, children, choices }: FileNoticeProps) {
  return (
    <Grid
      columns="auto minmax(0, 1fr)"
      gap={0.5}
      tone={isOpen ? undefined : 'soft'}
      size="medium"
      className={isOpen ? 'file-notice-open' : undefined}
    >
      <span aria-hidden="true">{icon}</span>
      <div>
        <p>{children}</p>
        {choices && (
          <Row gap={0.375} top={0.5}>
            {choices}
          </Row>
        )}
      </div>
    </Grid>
  )
}
