import { defineEndpoint, lazily } from './endpoint.ts'

const accounts = lazily(() => import('./accounts.ts'))
const sessions = lazily(() => import('./sessions.ts'))

export const logIn = defineEndpoint({
  method: 'POST',
  path: '/api/users/login',
  tag: 'sessions',
  summary: 'Log in',
  description:
    'Sets the refresh token as an HttpOnly cookie, and another that tells this device later. Where two-factor login is on, the right password is answered `code_needed`, with a cookie for `POST /api/users/login/code` and no session. Whoever is suspended is told so in `user`, and gets a session of a day at most that opens their sessions, password, export and end of account alone.',
  public: true,
  body: accounts('credentials'),
  answers: { 200: sessions('loginAnswer') },
  refusals: ['invalid_input', 'invalid_credentials', 'email_not_verified', 'code_needed', 'rate_limited', 'busy'],
})

export const refreshSession = defineEndpoint({
  method: 'POST',
  path: '/api/users/auth/refresh',
  tag: 'sessions',
  summary: 'Get a new access token',
  description:
    'Reads the refresh cookie and replaces it. A cookie that was replaced before ends the session. With `ifAny`, a browser without the cookie is told so, and not refused.',
  public: true,
  query: sessions('refreshQuery'),
  answers: {
    200: sessions('refreshAnswer'),
    204: { empty: true, meaning: 'There is no cookie; only where `ifAny` was asked' },
  },
  refusals: ['invalid_input', 'session_expired'],
})

export const logOut = defineEndpoint({
  method: 'POST',
  path: '/api/users/logout',
  tag: 'sessions',
  summary: 'Log out',
  description: 'Ends the session of the refresh cookie and that of the access token. Doing so again is no error.',
  public: true,
  answers: { 204: { empty: true, meaning: 'Nobody is logged in any more' } },
})

/** The same for a program whose refresh was refused: what is left of the session ends. */
export const endSession = defineEndpoint({ ...logOut, path: '/api/users/auth/logout' })

/** Here and not with the profile's, because every page of who is signed in begins with it. */
export const getMe = defineEndpoint({
  method: 'GET',
  path: '/api/users/me',
  tag: 'profile',
  summary: 'Who am I',
  whileSuspended: true,
  answers: { 200: sessions('userAnswer') },
})
