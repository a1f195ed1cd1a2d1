import { createConfig, lintFromString } from '@redocly/openapi-core'
import Fastify from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { endpoints } from '../packages/contract/endpoints.ts'
import { printError, printLine } from '../server/operations/start/process.ts'
import { type App, registerEndpoint, serializerCompiler } from '../server/platform/http/endpoints.ts'
import { registerOpenApi } from '../server/platform/http/openapi.ts'

/** Returns the description at `/api/openapi.json`, from endpoints without handlers. */
async function describeApi(): Promise<string> {
  const app: App = Fastify().withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await registerOpenApi(app, 'https://lectern.test')
  for (const endpoint of Object.values(endpoints)) registerEndpoint(app, endpoint, async (_request, reply) => reply)
  const response = await app.inject('/api/openapi.json')
  return response.body
}

const config = await createConfig({ extends: ['recommended'] })
const problems = await lintFromString({ source: await describeApi(), config })
// SPEC.md requires the trailing slash of `POST /api/users/`.
const isSpecified = ({ ruleId, location: [at] }: (typeof problems)[number]) =>
  ruleId === 'no-path-trailing-slash' && at?.pointer === '#/paths/~1api~1users~1'
const left = problems.filter((problem) => !isSpecified(problem))
for (const { ruleId, message, location } of left) printError(`${ruleId}: ${message} (${location[0]?.pointer})`)
if (left.length > 0) process.exit(1)
printLine(`The description of ${Object.keys(endpoints).length} operations follows Redocly's recommended rules.`)
