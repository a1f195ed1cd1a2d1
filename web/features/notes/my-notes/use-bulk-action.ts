import { useRef, useState } from 'react'
import { useNavigationBlocker } from '../../../platform/layout/use-navigation-blocker.ts'
import { session } from '../../../platform/session/store.ts'
import { type BulkItemStatus, type Change, runBulkAction } from './run-bulk-action.ts'

/** Changes notes one after another and tracks the status of each. */
export function useBulkAction() {
  const [fates, setFates] = useState<ReadonlyMap<string, BulkItemStatus>>(new Map())
  const [isWorking, setWorking] = useState(false)
  const stopping = useRef(new AbortController())
  const stayed = useRef(false)
  useNavigationBlocker(
    () => stayed.current && session.getState().user !== null,
    'Your notes are still being updated. Stop before leaving this page.',
  )

  /** @returns the ids of the changed notes. */
  async function run(noteIds: string[], change: Change): Promise<string[]> {
    stopping.current = new AbortController()
    const leave = session.subscribe(({ user }) => user === null && stopping.current.abort())
    stayed.current = true
    setWorking(true)
    const done: string[] = []
    setFates(new Map(noteIds.map((id) => [id, { kind: 'waiting' }])))
    await runBulkAction(noteIds, change, {
      stop: stopping.current.signal,
      onFate(noteId, fate) {
        if (fate.kind === 'done') done.push(noteId)
        setFates((before) => new Map(before).set(noteId, fate))
      },
    })
    leave()
    stayed.current = false
    setWorking(false)
    return done
  }

  return {
    fates,
    isWorking,
    run,
    stop() {
      stopping.current.abort()
    },
  }
}
