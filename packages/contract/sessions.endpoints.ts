import { endpointsOf, lazySchemas } from './endpoint.ts'

const define = endpointsOf('sessions')
const defineProfile = endpointsOf('profile')

const accounts = lazySchemas(() => import('./accounts.ts'))
const sessions = lazySchemas(() => import('./sessions.ts'))

export const logIn = define('POST', '/api/users/login', {
  whileFull: true,
  summary: 'Log in',
  description:
    'Sets the refresh token as an HttpOnly cookie, and another cookie that recognises this device later. If two-factor authentication is on, the right password is answered with `code_needed` and a cookie for `POST /api/users/login/code`, without a session. A suspended user finds the suspension in `user`, and gets a session of at most a day that opens only their sessions, password, export and account deletion.',
  public: true,
  body: accounts('credentials'),
  takesLargeBody: true,
  responses: { 200: sessions('loginResponse') },
  errorCodes: ['invalid_credentials', 'email_not_verified', 'code_needed', 'rate_limited', 'busy'],
})

export const refreshSession = define('POST', '/api/users/auth/refresh', {
  whileFull: true,
  summary: 'Get a new access token',
  description:
    'Reads the refresh cookie and replaces it. A cookie that was replaced before ends the session. With `ifAny`, a missing cookie is not an error.',
  public: true,
  query: sessions('refreshQuery'),
  responses: {
    200: sessions('refreshResponse'),
    204: { empty: true, description: 'There is no cookie, and `ifAny` was given' },
  },
  errorCodes: ['session_expired'],
})

export const logOut = define('POST', '/api/users/logout', {
  whileFull: true,
  summary: 'Log out',
  description: 'Ends the session of the refresh cookie and that of the access token. Idempotent.',
  public: true,
  responses: { 204: { empty: true, description: 'Logged out' } },
})

/** The same for a client whose refresh failed: it ends the rest of the session. */
export const endSession = { ...logOut, path: '/api/users/auth/logout' } as const

/** Not in the endpoints of the profile, because every page of a logged-in user starts with it. */
export const getMe = defineProfile('GET', '/api/users/me', {
  summary: 'Get the current user',
  allowSuspended: true,
  responses: { 200: sessions('userResponse') },
})
