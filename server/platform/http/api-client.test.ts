import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ts } from '@ts-morph/common'
import { expect, it } from 'vitest'
import { createUser, openTestApp, password } from '../../testing/app.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { onePagePdf } from '../../testing/pdf.ts'

// openapi-typescript prints types with the JavaScript API of TypeScript, which TypeScript 7 lacks.
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? '@ts-morph/common/dist/typescript.js' : name, context),
})

const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

const program = `
import { readFile } from 'node:fs/promises'
import createClient from 'openapi-fetch'
import type { paths } from './lectern.ts'

const [baseUrl, email, password, file] = process.argv.slice(2) as [string, string, string, string]
const api = createClient<paths>({ baseUrl })

const login = await api.POST('/api/users/login', { body: { email, password } })
if (login.error) throw new Error(login.error.code)
const headers = { authorization: \`Bearer \${login.data.accessToken}\` }

const pdf = new File([await readFile(file)], 'Rings and fields.pdf', { type: 'application/pdf' })
const upload = await api.POST('/api/notes', {
  headers,
  body: { courseCode: 'MAT247', academicYear: '2025–26', isAnonymous: 'false', note: [pdf] },
  bodySerializer({ note, ...fields }) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    for (const each of note) form.append('note', each)
    return form
  },
})
if (upload.error) throw new Error(upload.error.code)

const search = await api.GET('/api/search', { headers, params: { query: { text: 'rings' } } })
if (search.error) throw new Error(search.error.code)
const ids: string[] = search.data.hits.map(({ note }) => note._id)

const [id = ''] = ids
const view = await api.GET('/api/notes/{id}/view', { headers, params: { path: { id } }, parseAs: 'arrayBuffer' })
if (!view.data) throw new Error(view.error?.code)

const refused = await api.GET('/api/notes', { params: { query: { sortBy: 'likes' } } })

// @ts-expect-error: the contract names every order of a list.
await api.GET('/api/notes', { params: { query: { sortBy: 'title' } } })

console.log(JSON.stringify({ name: login.data.user.name, ids, bytes: view.data.byteLength, code: refused.error?.code }))
`

it('a client generated from the description logs in, uploads, searches and reads', async () => {
  const test = await openTestApp()
  const baseUrl = await test.app.listen({ port: 0, host: '127.0.0.1' })
  const { name, email } = await createUser(test)
  const folder = await makeTestFolder()

  const { default: generate, astToString } = await import('openapi-typescript')
  const types = await generate(new URL('/api/openapi.json', baseUrl), {
    transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
  })
  const [client, file] = [join(folder, 'client.ts'), join(folder, 'rings.pdf')]
  await Promise.all([
    symlink(join(root, 'node_modules'), join(folder, 'node_modules')),
    writeFile(join(folder, 'package.json'), '{ "type": "module" }'),
    writeFile(join(folder, 'lectern.ts'), astToString(types)),
    writeFile(client, program),
    writeFile(file, onePagePdf),
    writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.base.json'),
        compilerOptions: { lib: ['esnext'], types: ['node'] },
      }),
    ),
  ])
  const compiled = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error) => error,
  )
  expect(compiled.stdout).toBe('')
  const { stdout } = await run(process.execPath, [client, baseUrl, email, password, file])
  const notes = await test.deps.db.selectFrom('notes').select(['id', 'title']).execute()
  expect(notes).toEqual([{ id: expect.any(String), title: 'Rings and fields' }])
  const [note] = notes
  expect(JSON.parse(stdout)).toEqual({ name, ids: [note?.id], bytes: onePagePdf.length, code: 'unauthorized' })
})
