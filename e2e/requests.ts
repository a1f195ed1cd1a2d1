import { expect, type Page, type Request } from '@playwright/test'

type Held = {
  /** All intercepted requests in order, held or released. */
  requests: Request[]
  /** Forwards the held and all later requests to the server. */
  release(): void
}

/** Holds requests to the real server until they are released, as a slow connection does. */
export async function holdRequests(page: Page, url: RegExp, method?: string): Promise<Held> {
  const requests: Request[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback()
    requests.push(route.request())
    await released
    // A page that was left has cancelled its request.
    await route.fallback().catch(() => {})
  })
  // The route stays, because removing it could lose a request that arrives at the same moment.
  return { requests, release }
}

/** Returns a list that grows with each later request to a path that matches: `GET /api/notes`. */
export function listCalls(page: Page, path: RegExp): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (path.test(pathname)) calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

/** Returns the query parameters of a request. */
export const queryOf = (request: Request): Record<string, string> =>
  Object.fromEntries(new URL(request.url()).searchParams)

/** Expects that `act` sends a GET request to this path with exactly these parameters. */
export async function expectQuery(page: Page, path: string, act: () => Promise<unknown>, query: object): Promise<void> {
  const sent = page.waitForRequest((request) => request.method() === 'GET' && new URL(request.url()).pathname === path)
  await act()
  expect(queryOf(await sent)).toEqual(query)
}

/** Simulates an unexpected server error, which no user action can cause. */
export const mockServerError = (page: Page, url: RegExp, method = 'GET'): Promise<unknown> =>
  page.route(url, (route) => {
    const json = { message: 'An error occurred', code: 'unexpected' }
    return route.request().method() === method ? route.fulfill({ status: 500, json }) : route.fallback()
  })
