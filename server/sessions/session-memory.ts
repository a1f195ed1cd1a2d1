import type { Deps } from '../deps.ts'
import type { Viewer } from '../http/viewer.ts'
import type { AccessClaims } from './access-token.ts'
import { findLivingSession } from './sessions.queries.ts'

/** Those looked up last. */
const maxRemembered = 10_000

type Remembered = { viewer: Viewer; endsAtMs: number }

/**
 * Living sessions, remembered until they end: by themselves, or as it is announced. While announcements may be missed, each is
 * looked up. See docs/decisions/0034-remembered-sessions.md.
 */
export function createSessionMemory({ db, announcements }: Pick<Deps, 'db' | 'announcements'>) {
  const remembered = new Map<string, Remembered>()
  /** Goes up with each announcement: what was being looked up meanwhile may be true no more. */
  let announced = 0

  announcements.subscribe((text) => {
    announced += 1
    const [what, id] = text?.split(' ') ?? []
    if (what === 'session' && id !== undefined) remembered.delete(id)
    else remembered.clear()
  })

  function recall({ userId, sessionId }: AccessClaims): Viewer | null {
    const found = remembered.get(sessionId)
    if (!found || !announcements.isHearing() || found.viewer.id !== userId) return null
    return performance.now() < found.endsAtMs ? found.viewer : null
  }

  async function lookUp(claims: AccessClaims): Promise<Viewer | null> {
    const [askedAtMs, before] = [performance.now(), announced]
    const session = await findLivingSession(db, claims)
    if (!session) return null
    const { leftMs, ...viewer } = session
    if (announced === before && announcements.isHearing()) {
      const [oldest] = remembered.keys()
      if (oldest !== undefined && remembered.size >= maxRemembered) remembered.delete(oldest)
      remembered.set(claims.sessionId, { viewer: Object.freeze(viewer), endsAtMs: askedAtMs + leftMs })
    }
    return viewer
  }

  /** Who asks, where the session lives. */
  return async (claims: AccessClaims): Promise<Viewer | null> => recall(claims) ?? lookUp(claims)
}
