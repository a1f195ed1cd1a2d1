import type { Page, Request } from '@playwright/test'

type Held = {
  /** Requests that are waiting, in the order in which they came. */
  requests: Request[]
  /** Lets them and all later ones go on to the server. */
  release(): Promise<void>
}

/** Makes requests wait on their way to the real server, as a slow connection does, until they are released. */
export async function holdRequests(page: Page, url: RegExp, method?: string): Promise<Held> {
  const requests: Request[] = []
  const gone: Promise<void>[] = []
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback()
    requests.push(route.request())
    // A page that was left meanwhile has taken its request back.
    const going = released.then(() => route.continue()).catch(() => {})
    gone.push(going)
    await going
  })
  return {
    requests,
    async release() {
      letGo()
      // A route that is taken away while a request is let go may lose the request.
      while (gone.length > 0) await Promise.all(gone.splice(0))
      await page.unroute(url)
    },
  }
}
