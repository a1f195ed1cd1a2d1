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
import { ApiError } from './api/client.ts'
import { Layout } from './layout/Layout.tsx'
import { LoadingPage } from './layout/LoadingPage.tsx'
import { loadAnew } from './layout/missing-part.ts'
import { RouteError } from './layout/RouteError.tsx'
import * as paths from './paths.ts'
import { redirectIfSignedIn, requireSuspended, requireUser, sessionIfAny } from './session/guards.ts'
import { hasEarlyAccess } from './session/start.ts'
import { session } from './session/store.ts'

/**
 * What a page's file exports. The guard of its route has let the visitor through when `loader` runs; `prepare` runs
 * where somebody is about to open it.
 */
type PageModule = {
  Component: ComponentType
  loader?: LoaderFunction
  handle?: object
  shouldRevalidate?: ShouldRevalidateFunction
  prepare?: () => Promise<void>
}

/** Who may see a page: only a signed-in `user`, only one who is `suspended`, only a `visitor`, or `anyone`. */
const guards = {
  user: requireUser,
  suspended: requireSuspended,
  visitor: redirectIfSignedIn,
  anyone: sessionIfAny,
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
          const isEarly = guard === 'user' && (await hasEarlyAccess())
          const guarded = guards[guard](args.request)
          if (!isEarly) await guarded
          try {
            const loaded = loadQueries(isEarly).then(() => loader?.(args))
            const [data] = await Promise.all([loaded, guarded])
            return data ?? null
          } catch (failure) {
            // The guard leads elsewhere, as soon as it knows who asked.
            if (failure instanceof ApiError && failure.code === 'account_suspended') await guarded
            if (isEarly && session.getState().user === null) queries?.forgetQueries()
            const { pathname, search } = new URL(args.request.url)
            throw sessionEnded(failure) ? redirect(paths.login(pathname + search)) : failure
          }
        },
      }
    },
  }
}

let queries: typeof import('./api/WithQueries.tsx') | undefined

/** Visitors never need the query cache, so it is not in their way. */
async function loadQueries(isEarly: boolean) {
  if (isEarly || session.getState().user !== null) queries ??= await import('./api/WithQueries.tsx').catch(reload)
}

function Page({ Component }: { Component: ComponentType }) {
  // Runs again with the loader, which may have brought the queries.
  useLoaderData()
  if (queries === undefined) return <Component />
  return (
    <queries.WithQueries>
      <Component />
    </queries.WithQueries>
  )
}

const sessionEnded = (failure: unknown) =>
  failure instanceof ApiError && failure.status === 401 && session.getState().user === null

const reload = (failure: unknown) => loadAnew(failure, router)

const pages: RouteObject[] = [
  page(paths.home(), 'Study notes, shared', 'anyone', () => import('./home/HomePage.tsx')),
  page(paths.browse(), 'Browse Notes', 'user', () => import('./notes/list/BrowsePage.tsx')),
  page(paths.likedNotes(), 'Liked Notes', 'user', () => import('./notes/list/LikedNotesPage.tsx')),
  page(paths.myNotes(), 'My Notes', 'user', () => import('./notes/list/MyNotesPage.tsx')),
  page(paths.note(':id'), 'Reader', 'user', () => import('./notes/reader/ReaderPage.tsx')),
  page(paths.person(':id'), 'Author', 'user', () => import('./people/PersonPage.tsx')),
  page(paths.courses(), 'Courses', 'user', () => import('./courses/CoursesPage.tsx')),
  page(`${paths.courses()}/:code`, 'Course', 'user', () => import('./courses/CoursePage.tsx')),
  page(paths.unsubscribe(), 'Mails About Courses', 'anyone', () => import('./courses/UnsubscribePage.tsx')),
  page(paths.upload(), 'Upload Notes', 'user', () => import('./upload/UploadPage.tsx')),
  page(paths.profile(), 'Profile', 'user', () => import('./profile/ProfilePage.tsx')),
  page(paths.moderation(), 'Moderation', 'user', () => import('./moderation/ModerationPage.tsx')),
  page(paths.admin(), 'Administration', 'user', () => import('./admin/AdminPage.tsx')),
  page(paths.decisions(), 'Decisions', 'user', () => import('./moderation/DecisionsPage.tsx')),
  page(paths.rules(), 'Rules of the House', 'anyone', () => import('./moderation/RulesPage.tsx')),
  page(paths.copyright(), 'Copyright', 'anyone', () => import('./moderation/CopyrightPage.tsx')),
  page(paths.settings(), 'Settings', 'user', () => import('./settings/SettingsPage.tsx')),
  page(paths.suspended(), 'Account Suspended', 'suspended', () => import('./suspended/SuspendedPage.tsx')),
  page(paths.confirmEmail(), 'New Email', 'anyone', () => import('./settings/ConfirmEmailPage.tsx')),
  page(paths.notMe(), 'This Was Not Me', 'anyone', () => import('./settings/NotMePage.tsx')),
  page(paths.login(), 'Login', 'visitor', () => import('./accounts/LoginPage.tsx')),
  page(paths.register(), 'Register', 'visitor', () => import('./accounts/RegisterPage.tsx')),
  page(paths.forgotPassword(), 'Forgot Password', 'visitor', () => import('./accounts/ForgotPasswordPage.tsx')),
  page(paths.resetPassword(), 'Reset Password', 'visitor', () => import('./accounts/ResetPasswordPage.tsx')),
  page(paths.verify(), 'Email Verification', 'anyone', () => import('./accounts/VerifyPage.tsx')),
  page(paths.verifySuccess(), 'Email Verified', 'anyone', () => import('./accounts/VerifiedPage.tsx')),
  page(paths.verifyExpired(), 'Link Expired', 'anyone', () => import('./accounts/LinkExpiredPage.tsx')),
  page(paths.verifyInvalid(), 'Invalid Link', 'anyone', () => import('./accounts/InvalidLinkPage.tsx')),
  page(paths.verifyInternalError(), 'Something Went Wrong', 'anyone', () => import('./accounts/VerifyFailedPage.tsx')),
  page('*', '404 Page Not Found', 'anyone', () => import('./layout/NotFoundPage.tsx')),
]

/** A page's part is on its way from the moment that a pointer or the focus is on a link to it. */
export function prepareLinkedPages(): void {
  const prepare = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]:not([data-note-open])') : null
    if (link?.origin !== location.origin) return
    const path = matchRoutes(pages, link.pathname)?.[0]?.route.path
    const prepared = loads
      .get(path)?.()
      .then((part) => part.prepare?.())
    // Where it is missing, opening the page says so.
    prepared?.catch(() => {})
  }
  for (const sign of ['pointerover', 'focusin']) document.addEventListener(sign, prepare, { passive: true })
}

let router: ReturnType<typeof createBrowserRouter>

export function createRouter() {
  router = createBrowserRouter([
    {
      Component: Layout,
      HydrateFallback: LoadingPage,
      ErrorBoundary: RouteError,
      // Inside the layout, so that a page that fails leaves the navigation in place.
      children: [{ ErrorBoundary: RouteError, children: pages }],
    },
  ])
  return router
}
