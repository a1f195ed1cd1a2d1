import type { ComponentType } from 'react'
import {
  createBrowserRouter,
  type LoaderFunction,
  type LoaderFunctionArgs,
  matchRoutes,
  type RouteObject,
  redirect,
  type ShouldRevalidateFunction,
  useLoaderData,
} from 'react-router'
import { Layout } from './app/Layout.tsx'
import { ApiError, api } from './platform/api/client.ts'
import { loadAnew } from './platform/layout/chunk-reload.ts'
import { RouteError } from './platform/layout/RouteError.tsx'
import { setRouterOfSession } from './platform/layout/use-session-redirect.ts'
import * as paths from './platform/paths.ts'
import {
  addressOf,
  canFetchEarly,
  redirectIfSignedIn,
  requireKnownSession,
  requireSuspended,
  requireUser,
  waitForSession,
} from './platform/session/load-session.ts'
import { session } from './platform/session/store.ts'

/**
 * The exports of a page's file. `loader` data is shown only after the route's guard passes; `preload` runs when the
 * user is about to open it.
 */
type PageModule = {
  Component: ComponentType
  loader?: LoaderFunction
  handle?: object
  shouldRevalidate?: ShouldRevalidateFunction
  preload?: () => Promise<void>
}

/**
 * Who may open a page: only an active `user`, only a `suspended` user, only a `visitor`, or `anyone`. `userOrVisitor` is
 * a page that differs for both, so the session must be known.
 */
const guards = {
  user: requireUser,
  suspended: requireSuspended,
  visitor: redirectIfSignedIn,
  anyone: waitForSession,
  userOrVisitor: requireKnownSession,
}

const loads = new Map<string | undefined, () => Promise<PageModule>>()

function page(path: string, title: string, guard: keyof typeof guards, load: () => Promise<PageModule>): RouteObject {
  loads.set(path, load)
  return {
    path,
    async lazy() {
      const { Component, loader, handle, shouldRevalidate } = await load().catch(reload)
      return {
        element: <Page Component={Component} />,
        handle: { title, ...handle },
        shouldRevalidate,
        async loader(args: LoaderFunctionArgs) {
          const isEarly = (guard === 'user' || guard === 'userOrVisitor') && (await canFetchEarly())
          const guarded = guards[guard](args.request)
          if (!isEarly) await guarded
          try {
            const loaded = loadQueries().then(() => loader?.(args))
            const [data] = await Promise.all([loaded, guarded])
            return data ?? null
          } catch (failure) {
            // The guard redirects when the user is known.
            if (failure instanceof ApiError && failure.code === 'account_suspended') await guarded
            if (isEarly && session.getState().user === null) queries?.queryClient.clear()
            throw sessionEnded(failure) ? redirect(paths.login(addressOf(args.request))) : failure
          }
        },
      }
    },
  }
}

let queries: typeof import('./platform/api/query-client.ts') | undefined

/**
 * Visitors never need the query cache, so they do not load it. After a reload, the access token is there before the
 * user.
 */
async function loadQueries() {
  if (session.getState().user !== null || api.hasAccessToken())
    queries ??= await import('./platform/api/query-client.ts').catch(reload)
}

function Page({ Component }: { Component: ComponentType }) {
  // Renders again after the loader, which may have loaded the queries.
  useLoaderData()
  if (queries === undefined) return <Component />
  return (
    <queries.QueryProvider>
      <Component />
    </queries.QueryProvider>
  )
}

const sessionEnded = (failure: unknown) =>
  failure instanceof ApiError && failure.status === 401 && session.getState().user === null

const reload = (failure: unknown) => loadAnew(failure, router)

const emailLinks = () => import('./features/auth/EmailLinkPage.tsx')
const rules = () => import('./features/moderation/RulesPages.tsx')
const verification = () => import('./features/auth/VerificationResults.tsx')

const pages: RouteObject[] = [
  page(paths.home(), 'Study notes, shared', 'userOrVisitor', () => import('./features/home/HomePage.tsx')),
  page(paths.browse(), 'Browse Notes', 'user', () => import('./features/notes/list/BrowsePage.tsx')),
  page(paths.likedNotes(), 'Liked Notes', 'user', () => import('./features/notes/list/LikedNotesPage.tsx')),
  page(paths.myNotes(), 'My Notes', 'user', () => import('./features/notes/list/MyNotesPage.tsx')),
  page(paths.note(':id'), 'Reader', 'user', () => import('./features/reader/ReaderPage.tsx')),
  page(paths.person(':id'), 'Author', 'user', () => import('./features/courses/authors/AuthorPage.tsx')),
  page(paths.courses(), 'Courses', 'user', () => import('./features/courses/CoursesPage.tsx')),
  page(`${paths.courses()}/:code`, 'Course', 'user', () => import('./features/courses/CoursePage.tsx')),
  page(paths.unsubscribe(), 'Course emails', 'anyone', async () => (await emailLinks()).unsubscribePage),
  page(paths.upload(), 'Upload Notes', 'user', () => import('./features/uploads/UploadPage.tsx')),
  page(paths.profile(), 'Profile', 'user', () => import('./features/accounts/ProfilePage.tsx')),
  page(paths.moderation(), 'Moderation', 'user', () => import('./features/moderation/ModerationPage.tsx')),
  page(paths.admin(), 'Admin', 'user', () => import('./features/administration/AdminPage.tsx')),
  page(paths.decisions(), 'Moderation log', 'user', () => import('./features/moderation/DecisionsPage.tsx')),
  page(paths.rules(), 'Guidelines', 'anyone', async () => (await rules()).guidelines),
  page(paths.anonymity(), 'What “anonymous” means', 'anyone', async () => (await rules()).anonymity),
  page(paths.copyright(), 'Copyright', 'anyone', () => import('./features/moderation/CopyrightPage.tsx')),
  page(paths.settings(), 'Settings', 'user', () => import('./features/accounts/SettingsPage.tsx')),
  page(paths.suspended(), 'Account suspended', 'suspended', () => import('./features/accounts/SuspendedPage.tsx')),
  page(paths.confirmEmail(), 'Confirm email', 'anyone', async () => (await emailLinks()).confirmEmailPage),
  page(paths.notMe(), 'Secure your account', 'anyone', async () => (await emailLinks()).secureAccountPage),
  page(paths.login(), 'Login', 'visitor', () => import('./features/auth/LoginPage.tsx')),
  page(paths.register(), 'Register', 'visitor', () => import('./features/auth/RegisterPage.tsx')),
  page(paths.forgotPassword(), 'Forgot Password', 'visitor', () => import('./features/auth/ForgotPasswordPage.tsx')),
  page(paths.resetPassword(), 'Reset Password', 'visitor', () => import('./features/auth/ResetPasswordPage.tsx')),
  page(paths.verify(), 'Email Verification', 'anyone', () => import('./features/auth/VerifyPage.tsx')),
  page(paths.verifySuccess(), 'Email Verified', 'anyone', async () => (await verification()).verified),
  page(paths.verifyExpired(), 'Link Expired', 'anyone', async () => (await verification()).expired),
  page(paths.verifyInvalid(), 'Invalid Link', 'anyone', async () => (await verification()).invalid),
  page(paths.verifyInternalError(), 'Something Went Wrong', 'anyone', async () => (await verification()).failed),
  page('*', '404 Page Not Found', 'anyone', () => import('./platform/layout/NotFoundPage.tsx')),
]

/** Loads a page's script when the pointer or the focus reaches a link to it. */
export function preloadLinkedPages(): void {
  const prepare = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]:not([data-note-open])') : null
    if (link?.origin !== location.origin) return
    const path = matchRoutes(pages, link.pathname)?.[0]?.route.path
    const prepared = loads
      .get(path)?.()
      .then((part) => part.preload?.())
    // If it is missing, opening the page reports it.
    prepared?.catch(() => {})
  }
  for (const sign of ['pointerover', 'focusin']) document.addEventListener(sign, prepare, { passive: true })
}

let router: ReturnType<typeof createBrowserRouter>

/** Resolves when the first page is loaded, or has failed. */
export const whenInitialized = (of: typeof router): Promise<void> =>
  new Promise((resolve) => {
    const look = ({ initialized }: typeof router.state) => initialized && resolve()
    look(of.state)
    of.subscribe(look)
  })

/** @param isPrerendered whether the document shows the first page already. */
export function createRouter(isPrerendered: boolean) {
  router = createBrowserRouter(
    [
      {
        Component: Layout,
        ErrorBoundary: RouteError,
        // Inside the layout, so that the navigation stays when a page fails.
        children: [{ ErrorBoundary: RouteError, children: pages }],
      },
    ],
    // With this, the router scrolls once at the start, and not again after the page is shown.
    isPrerendered ? { hydrationData: {} } : {},
  )
  setRouterOfSession(router)
  return router
}
