import { describe, expect, it } from 'vitest'
import { findWrongImports, readGraph } from './check-structure.ts'

const judge = (...arrows: [from: string, to: string][]) => {
  const graph = new Map<string, string[]>(
    arrows.flatMap(([from, to]) => [
      [to, []],
      [from, []],
    ]),
  )
  for (const [from, to] of arrows) graph.set(from, [...(graph.get(from) ?? []), to])
  return findWrongImports(graph)
}

describe('an import', () => {
  it('may go down, and to the contract', () => {
    expect(judge(['server/app.ts', 'server/notes/notes.ts'])).toEqual([])
    expect(judge(['server/notes/notes.ts', 'server/db/pool.ts'])).toEqual([])
    expect(judge(['web/ui/Button.tsx', 'contract/fields.ts'])).toEqual([])
  })

  it.each([
    ['server/db/pool.ts', 'server/notes/notes.ts', 'from engines up to slices'],
    ['server/log.ts', 'server/http/guard.ts', 'from leaves up to engines'],
    ['web/ui/Button.tsx', 'web/session/store.ts', 'from engines up to the session'],
    ['web/home/HomePage.tsx', 'server/log.ts', 'leads out of its side'],
    ['contract/fields.ts', 'server/log.ts', 'the contract imports nothing of ours'],
    ['server/users/users.ts', 'server/notes/notes.queries.ts', 'a slice calls another’s rules, never what is below'],
    ['server/notes/notes.ts', 'server/test/app.ts', 'only tests use the helpers of tests'],
    ['server/pdf/anonymiser/rules/fonts.ts', 'server/log.ts', 'the anonymiser knows nothing of ours'],
  ])('of %s is refused %s', (from, to, reason) => {
    expect(judge([from, to])).toEqual([`${from} → ${to}: ${reason}`])
  })

  it('closes no circle of files, nor of engines', () => {
    expect(judge(['web/ui/A.tsx', 'web/ui/B.tsx'], ['web/ui/B.tsx', 'web/ui/A.tsx'])).toHaveLength(1)
    const rooms = judge(['server/db/a.ts', 'server/jobs/b.ts'], ['server/jobs/c.ts', 'server/db/d.ts'])
    expect(rooms).toEqual([expect.stringMatching(/^A circle: (db → jobs → db|jobs → db → jobs)$/)])
  })
})

it('all files are looked at, with what they import, load later and run', () => {
  const graph = readGraph()
  expect(graph.size).toBeGreaterThan(800)
  expect(graph.get('server/main.ts')).toContain('server/start.ts')
  expect(graph.get('web/routes.tsx')).toContain('web/home/HomePage.tsx')
  expect(graph.get('server/pdf/processes.ts')?.some((file) => file.endsWith('pdf-process.ts'))).toBe(true)
})
