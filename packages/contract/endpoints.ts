import * as about from './about.endpoints.ts'
import * as accounts from './accounts.endpoints.ts'
import * as attention from './attention.endpoints.ts'
import * as sharing from './author-stats.endpoints.ts'
import * as claims from './copyright-claims.endpoints.ts'
import * as courses from './courses.endpoints.ts'
import * as documents from './documents.endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import * as instance from './instance-settings.endpoints.ts'
import * as members from './members.endpoints.ts'
import * as moderation from './moderation.endpoints.ts'
import * as notes from './notes.endpoints.ts'
import * as passkeys from './passkeys.endpoints.ts'
import * as people from './people.endpoints.ts'
import * as profile from './profile.endpoints.ts'
import * as ratings from './ratings.endpoints.ts'
import * as reading from './reading-progress.endpoints.ts'
import * as reports from './reports.endpoints.ts'
import * as search from './search.endpoints.ts'
import * as sessions from './sessions.endpoints.ts'
import * as settings from './settings.endpoints.ts'
import * as operation from './system.endpoints.ts'
import * as twoFactor from './two-factor.endpoints.ts'

/** Every endpoint by the name under which its module exports it. The name is also the operationId. */
export const endpoints: Record<string, Endpoint> = {
  ...about,
  ...accounts,
  ...attention,
  ...claims,
  ...courses,
  ...documents,
  ...instance,
  ...members,
  ...moderation,
  ...notes,
  ...operation,
  ...passkeys,
  ...people,
  ...profile,
  ...ratings,
  ...reading,
  ...reports,
  ...search,
  ...sessions,
  ...settings,
  ...sharing,
  ...twoFactor,
}
