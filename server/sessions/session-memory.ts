import type { Deps } from '../deps.ts'
import type { Viewer } from '../viewer.ts'
import type { AccessClaims } from './access-token.ts'
import { findLivingSession } from './sessions.queries.ts'

/** Those looked up last. */
const maxRemembered = 10_000

/** Who asks, and whether the session opens but what a suspended student may. */
export type Session = { viewer: Viewer; isLimited: boolean }
type Remembered = { session: Session; endsAtMs: number }

/**
 * Living sessions, remembered until they end: by themselves, or as it is announced. While announcements may be missed, each is
 * looked up.
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

  function recall({ userId, sessionId }: AccessClaims): Session | null {
    const found = remembered.get(sessionId)
    if (!found || !announcements.isHearing() || found.session.viewer.id !== userId) return null
    return performance.now() < found.endsAtMs ? found.session : null
  }

  async function lookUp(claims: AccessClaims): Promise<Session | null> {
    const [askedAtMs, before] = [performance.now(), announced]
    const found = await findLivingSession(db, claims)
    if (!found) return null
    const { leftMs, isLimited, ...viewer } = found
    const session = { viewer: Object.freeze(viewer), isLimited }
    if (announced === before && announcements.isHearing()) {
      const [oldest] = remembered.keys()
      if (oldest !== undefined && remembered.size >= maxRemembered) remembered.delete(oldest)
      remembered.set(claims.sessionId, { session, endsAtMs: askedAtMs + leftMs })
    }
    return session
  }

  /** The session, where it lives. */
  return async (claims: AccessClaims): Promise<Session | null> => recall(claims) ?? lookUp(claims)
}
