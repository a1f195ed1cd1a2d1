import { useState } from 'react'
import { Button } from '../../platform/ui/Button.tsx'
import { Row, Text } from '../../platform/ui/layout.tsx'
import { countOf } from '../notes/format.ts'
import { isInProgress, isUnsent, tray, useUploadQueue } from './upload-queue.ts'

/** Says how many files are here from an earlier visit of the page. */
export function RestoredFiles() {
  const [before] = useState(() => new Set(tray.getState().rows.map(({ id }) => id)))
  const rows = useUploadQueue((state) => state.rows).filter((row) => before.has(row.id) && isUnsent(row))
  if (rows.length === 0 || rows.some(isInProgress)) return null
  return (
    <Row gap={0.5} top={1} justify="space-between">
      <Text>{countOf(rows.length, 'file')} from before</Text>
      <Button variant="ghost" size="small" onClick={() => tray.remove((row) => rows.includes(row))}>
        Discard
      </Button>
    </Row>
  )
}
