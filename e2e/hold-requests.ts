import type { Page, Request } from '@playwright/test'

type Held = {
  /** Requests that came, waiting or let go, in their order. */
  requests: Request[]
  /** Lets them and all later ones go on to the server. */
  release(): void
}

/** Makes requests wait on their way to the real server, as a slow connection does, until they are released. */
export async function holdRequests(page: Page, url: RegExp, method?: string): Promise<Held> {
  const requests: Request[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback()
    requests.push(route.request())
    await released
    // A page that was left meanwhile has taken its request back.
    await route.fallback().catch(() => {})
  })
  // The route stays: taken away in the moment in which a request comes it would lose it.
  return { requests, release }
}
