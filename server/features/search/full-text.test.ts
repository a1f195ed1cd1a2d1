import { beforeAll, describe, expect, it } from 'vitest'
import { createNote, createUser, type NoteValues, openTestApp, type TestUser } from '../../testing/app.ts'
import { expectRefusal, expectStatus } from '../../testing/refusal.ts'
import { createLibrary, marked, search, writePages } from '../../testing/search-fixtures.ts'
import { rate } from '../../testing/students.ts'

const test = await openTestApp()
const library = (notes: (NoteValues & { pages?: string[] })[]) => createLibrary(test, notes)

describe('a search', () => {
  it('finds words wherever they stand in a note', async () => {
    const waves = { courseCode: 'PHY 201', instructor: 'Prof. José Núñez' }
    const { find } = await library([
      { title: 'Waves', ...waves, pages: ['Nothing here', 'A dispersion relation'] },
      { title: 'Optics', courseCode: 'PHY 202', pages: ['The dispersion of light'] },
    ])
    expect(await find('dispersion waves')).toEqual(['Waves'])
    expect(await find('nunez relation phy201')).toEqual(['Waves'])
    expect((await find('dispersion')).sort()).toEqual(['Optics', 'Waves'])
    expect((await find('DISPERSIÓN phy')).sort()).toEqual(['Optics', 'Waves'])
  })

  it.each<[string, object?]>([
    ['sound waves'],
    ['"sound waves"'],
    ['wavse'],
    ['sound', { sortBy: 'createdAt' }],
    ['sound waves nowhere'],
    ['course:SCP100'],
    ['-quantum'],
  ])('for %s covers all notes, the student’s own or the liked ones', async (text, order) => {
    const page = ['About sound waves']
    const { owner, ids, academicYear } = await library([
      { title: 'Waves in air', courseCode: 'SCP100', pages: page },
      { title: 'Waves in water', courseCode: 'SCP100', pages: page },
    ])
    const other = await createUser(test)
    const own = await createNote(test, other, { title: 'Waves in light', courseCode: 'SCP100', academicYear })
    await writePages(test, own, page)
    await rate(test, other, ids[1] ?? '', { likes: '+' })
    const find = async (user: typeof owner, scope: string) => {
      const { hits } = (await search(test, user, { text, academicYear, scope, ...order })).json()
      return hits.map(({ note }: { note: { title: string } }) => note.title).sort()
    }
    expect(await find(other, 'all')).toEqual(['Waves in air', 'Waves in light', 'Waves in water'])
    expect(await find(other, 'mine')).toEqual(['Waves in light'])
    expect(await find(other, 'liked')).toEqual(['Waves in water'])
    expect(await find(owner, 'mine')).toEqual(['Waves in air', 'Waves in water'])
    expect(await find(owner, 'liked')).toEqual([])
  })

  it('shows up to three passages, as text, with what was found marked', async () => {
    const pages = ['<b>Fourier</b> & the\nFourier transform', 'none', 'fourier', 'FOURIER again', 'Fouriér']
    const { ask } = await library([{ title: 'Waves', pages }])
    const { hits } = await ask('fourier')
    expect(hits.map(marked)).toEqual([
      [
        [1, '<b>[Fourier]</b> & the [Fourier] transform'],
        [3, '[fourier]'],
        [4, '[FOURIER] again'],
      ],
    ])
    expect(hits[0]?.matchingPages).toBe(4)
    const phrase = await ask('"fourier transform"')
    expect(phrase.hits.map(marked)).toEqual([[[1, '<b>Fourier</b> & the [Fourier transform]']]])
    expect(phrase.hits[0]?.matchingPages).toBe(1)
  })

  it('shows the best passage first, wherever it is, and returns how many notes it found', async () => {
    const pages = [...Array(11).fill('waves'), 'wave equation', ...Array(90).fill('equation')]
    const others = Array.from({ length: 60 }, (_, at) => ({ title: `Waves ${at}` }))
    const { ask } = await library([{ title: 'Equation', pages }, ...others])
    const best = await ask('wave equation')
    expect([best.hits[0]?.snippets[0]?.page, best.hits[0]?.matchingPages]).toEqual([12, 100])
    for (const query of [{}, { sortBy: 'createdAt' }, { sortBy: 'likes' }] as Record<string, string>[]) {
      const first = await ask('waves', query)
      expect(first.found).toEqual({ count: 60, isAll: false })
      expect((await ask('waves', { ...query, cursor: first.next ?? '' })).found).toBeNull()
    }
    expect((await ask('equation', { sortBy: 'createdAt' })).found).toEqual({ count: 1, isAll: true })
  })

  it.each(['csc 108', 'CSC-108', 'csc108', 'Csc  108'])('takes %s for one course', async (text) => {
    const codes = { a: 'CSC108', b: 'CSC 108', c: 'CSC-108', d: 'CSC209' }
    const ofCourses = Object.entries(codes).map(([title, courseCode]) => ({ title, courseCode }))
    const { find } = await library([...ofCourses, { title: 'e', pages: ['as in CSC 108 last year'] }])
    expect([(await find(text)).sort(), (await find(text)).at(-1)]).toEqual([['a', 'b', 'c', 'e'], 'e'])
  })

  it.each<[string, string[]]>([
    ['C++', ['C++ templates', 'Systems']],
    ['c++ templates', ['C++ templates']],
    ['C#', ['C# generics']],
    ['F#', ['F# monads']],
    ['.NET', ['.NET basics']],
    ['x^2', ['Parabolas', 'Squares']],
    ['x²', ['Parabolas', 'Squares']],
    ['λ', ['Calculus with λ']],
    ['%', ['Percent']],
    ['50%', ['Percent']],
  ])('finds the signs of %s and nothing that only begins like it', async (text, titles) => {
    const titled = ['C++ templates', 'C# generics', 'F# monads', '.NET basics', 'Calculus with λ']
    const { find } = await library([
      ...titled.map((title) => ({ title })),
      { title: 'Systems', pages: ['written in C++, mostly'] },
      { title: 'Parabolas', pages: ['y = x^2 + 1'] },
      { title: 'Squares', pages: ['y = x² + 1'] },
      { title: 'Chemistry', pages: ['carbon and cobalt, network'] },
      { title: 'Percent', pages: ['a rise of 50% at most'] },
    ])
    expect((await find(text)).sort()).toEqual(titles.sort())
  })

  it('finds phrases in titles and on pages, and not across them', async () => {
    const { find, ask } = await library([
      { title: 'Mean value theorem' },
      { title: 'Analysis', pages: ['the mean value\ntheorem says', 'more'] },
      { title: 'Scattered', pages: ['the mean of a value; a theorem', 'ends with mean', 'value theorem'] },
      {
        title: 'Rolle’s theorem',
        courseCode: 'QPH 410',
        pages: ['of the function', 'a tangent, rarer than others, is horizontal by continuity'],
      },
      { title: '운영체제: 교착 상태와 프로세스 동기화' },
    ])
    expect(await find('"mean value theorem"')).toEqual(['Mean value theorem', 'Analysis'])
    // One phrase is in the title and the other on a page.
    expect(await find('"Rolle’s theorem" "of the function"')).toEqual(['Rolle’s theorem'])
    // So many rare words that none of the phrase is required.
    const rare = 'tangent rarer others horizontal continuity rolle function'
    expect(await find(`"of the" ${rare} -by:nobody`)).toEqual(['Rolle’s theorem'])
    expect(await find('"운영체제: 교착 상태와 프로세스 동기화"')).toEqual(['운영체제: 교착 상태와 프로세스 동기화'])
    expect(await find('"QPH 410" tangent')).toEqual(['Rolle’s theorem'])
    expect((await find('mean value theorem')).at(0)).toBe('Mean value theorem')
    expect((await ask('"value theorem" says')).hits.map(marked)).toEqual([[[1, 'the mean [value theorem] [says]']]])
  })

  it('finds the inside of what is written without blanks', async () => {
    const { find, ask } = await library([
      { title: '常微分方程入門' },
      { title: 'Lecture 4', pages: ['これは微分方程式の講義ノートです。'] },
    ])
    expect((await find('微分方程')).sort()).toEqual(['Lecture 4', '常微分方程入門'].sort())
    expect([await find('講義'), await find('講')]).toEqual([['Lecture 4'], ['Lecture 4']])
    expect(await find('方微')).toEqual([])
    expect((await ask('講義')).hits.map(marked)).toEqual([[[1, 'これは微分方程式の[講義]ノートです。']]])
  })

  it('corrects typing errors, also of words that only texts have, and reports it', async () => {
    const { ask, find } = await library([
      { title: 'Linear Algebra' },
      { title: 'x', instructor: 'Prof. Okonkwo' },
      { title: 'History', pages: ['Robespierre and the Terror, the model of a republic'] },
      { title: 'Circuits', pages: ['Kirchhoff, for the committee'] },
      { title: 'Rates', pages: ['the acceleration; wir kann, start now'] },
    ])
    const history = { note: { title: 'History' }, missing: [] }
    expect(await ask('Robespiere terror')).toMatchObject({ corrected: 'robespierre terror', hits: [history] })
    expect((await ask('Robespiere terror, robespiere')).corrected).toBe('robespierre terror, robespierre')
    expect(await ask('zyzzxq terror Zyzzxq')).toMatchObject({ hits: [], shortened: 'terror' })
    expect([await find('algbera'), await find('okonkow')]).toEqual([['Linear Algebra'], ['x']])
    // In words this short, two errors are corrected only where doubled letters are missing.
    for (const typed of ['kirchof', 'comitee']) expect(await find(typed)).toEqual(['Circuits'])
    expect(await find('terxer')).toEqual([])
    // In longer ones, also where one of them is a wrong vowel.
    for (const typed of ['acelaration', 'accelaretion']) expect(await find(typed), typed).toEqual(['Rates'])
    // A corrected word that no note has beside the others can be left out, and no stop word replaces a name.
    expect(await ask('smart terror')).toMatchObject({ hits: [], shortened: 'terror' })
    expect(await find('Kant')).toEqual([])
    expect((await ask('terror')).corrected).toBe(null)
    expect(await ask('Robespiere', { exact: 'true' })).toMatchObject({ corrected: null, hits: [] })
    // No word that fits less is found instead.
    expect(await find('Gödel')).toEqual([])
  })

  it('finds the forms of a word, British and American, and the parts of compounds', async () => {
    const { find } = await library([
      { title: 'Markets', pages: ['the labour market and the colour of money were analysed in the centre'] },
      { title: 'Trees', pages: ['binary trees and theories of computation, mergesort'] },
      { title: 'Wärmeübertragung', pages: ['die Straße und der Deckungsbeitrag'] },
      { title: 'Chaleur', pages: ['une loi de l’entropie et le cœur'] },
    ])
    for (const text of ['labor', 'colors', 'analyze', 'center']) expect(await find(text), text).toEqual(['Markets'])
    for (const text of ['tree', 'theory', 'merge sort', 'compute']) expect(await find(text), text).toEqual(['Trees'])
    for (const text of ['waermeuebertragung', 'Warmeubertragung', 'strasse', 'Deckungsbeitragsrechnung'])
      expect(await find(text), text).toEqual(['Wärmeübertragung'])
    for (const text of ['entropie', 'l’entropie', 'coeur']) expect(await find(text), text).toEqual(['Chaleur'])
  })

  it.each<[string, string[]]>([
    ['NAD+', ['Respiration']],
    ['nad+ glycolysis', ['Respiration']],
    ['K+', ['Respiration']],
    ['pKa', ['Buffers']],
    ['pK_a buffers', ['Buffers']],
    ['-0.76 V', ['Buffers']],
    ['B-tree', ['Indexes', 'Tree of life']],
    ['coldwar', ['Truman']],
    ['eigen value', ['The eigenvalues', 'Polynomial']],
    ['bins', ['Histogram']],
    ['Marshallplan', ['Truman']],
    ['equilibria', ['Games']],
    ['thermchemstry', ['Hess']],
    ['Transaktionen', ['Commit']],
    ['Irrtümer', ['Anfechtung']],
    ['nash puzzles', ['Puzzles']],
    ['difference between HAVING and WHERE?', ['Groups']],
    ['how does glycolysis work', ['Respiration']],
    ['find the equilibrium', ['Games']],
    ['chez', []],
    ['notable', []],
  ])('finds what is meant by %s', async (text, titles) => {
    const { find } = await library([
      { title: 'Respiration', pages: ['glycolysis needs NAD^+ and K ions'] },
      { title: 'Buffers', pages: ['pH = pK_a at half of it, at -0.76 V'] },
      { title: 'Indexes', pages: ['a B-tree is balanced'] },
      { title: 'Tree of life', pages: ['by Darwin'] },
      { title: 'Truman', pages: ['the cold start of a war; aid by the plan of Marshall'] },
      { title: 'Planning', pages: ['a plan and the Marshalls'] },
      { title: 'The eigenvalues' },
      { title: 'Polynomial', pages: ['an eigenvalue'] },
      { title: 'Histogram', pages: ['one bin per value'] },
      { title: 'Games', pages: ['a Nash equilibrium'] },
      { title: 'Puzzles', pages: ['for rainy days'] },
      { title: 'Hess', pages: ['thermochemistry'] },
      { title: 'Commit', pages: ['a transaction is atomic'] },
      { title: 'Anfechtung', pages: ['ein Motivirrtum genügt nicht'] },
      { title: 'Groups', pages: ['WHERE is before, HAVING after'] },
      { title: 'Chen', pages: ['work, and the difference that it makes; nobody was able to find it, not even Chen'] },
    ])
    expect(await find(text)).toEqual(titles)
  })

  it('marks Greek letters that were searched by name, and reads a word before another’s hyphen', async () => {
    const { ask } = await library([
      { title: 'Half-life', pages: ['N falls with λt, ΔG below zero'] },
      { title: 'Poisson' },
    ])
    expect((await ask('lambda')).hits.map(marked)).toEqual([[[1, 'N falls with [λ]t, ΔG below zero']]])
    expect((await ask('delta G')).hits.map(marked)).toEqual([[[1, 'N falls with λt, [Δ]G below zero']]])
    expect(await ask('Poisson-Gesetz')).toMatchObject({ hits: [], shortened: 'Poisson' })
    expect(await ask('¿poisson?')).toMatchObject({ unsearched: [] })
  })

  it('puts a short note before a long one with the same word', async () => {
    const long = Array.from({ length: 40 }, (_, page) =>
      Array.from({ length: 60 }, (_, at) => `w${page}x${at}`).join(' '),
    )
    const { find } = await library([
      { title: 'Short', pages: ['osmosis: the osmosis of water'] },
      { title: 'Long', pages: [...long, 'osmosis, osmosis'] },
    ])
    expect(await find('osmosis')).toEqual(['Short', 'Long'])
  })

  it('finds what a question asks for, and titles of stop words', async () => {
    const { find } = await library([
      { title: 'Deadlock', pages: ['A deadlock is when processes wait for each other'] },
      { title: 'The Who', pages: ['a band'] },
      { title: 'Sorting', pages: ['what is the order of a list'] },
    ])
    expect(await find('what is a deadlock?')).toEqual(['Deadlock'])
    expect([await find('Was ist ein Deadlock'), await find('the who')]).toEqual([['Deadlock'], ['The Who']])
    expect(await find('what is a zyzzyva?')).toEqual([])
  })

  it('puts notes with all words first, and names the words that others lack', async () => {
    const { ask } = await library([
      { title: 'Thermodynamics', pages: ['entropy of steam engines and of refrigerators'] },
      { title: 'Engines', pages: ['steam engines by Watt, entropy'] },
      { title: 'Boats', pages: ['steam'] },
    ])
    const { hits } = await ask('entropy watt engines')
    expect(hits.map(({ note, missing }) => [note.title, missing])).toEqual([
      ['Engines', []],
      ['Thermodynamics', ['watt']],
    ])
  })

  it('reads operators, and excludes words and phrases in all forms', async () => {
    const { find, academicYear, owner } = await library([
      { title: 'Deadlock', courseCode: 'CSC369', pages: ['in operating systems'] },
      { title: 'Locks', courseCode: 'CSC443', pages: ['a deadlock of databases'] },
      { title: 'Dining', courseCode: 'CSC369', pages: ['deadlock of philosophers at dinner'] },
    ])
    expect((await find('deadlock -database')).sort()).toEqual(['Deadlock', 'Dining'])
    expect((await find('deadlock -"philosophers at dinner"')).sort()).toEqual(['Deadlock', 'Locks'])
    expect((await find('course:csc369 deadlock')).sort()).toEqual(['Deadlock', 'Dining'])
    expect((await find('course:csc369')).sort()).toEqual(['Deadlock', 'Dining'])
    expect((await find('-databases')).sort()).toEqual(['Deadlock', 'Dining'])
    // Without anything to search for, an operator is an ordinary word.
    expect(await find('course:-')).toEqual([])
    expect(await find(`year:${academicYear.replace('–', '-')} dining`)).toEqual(['Dining'])
    expect([await find('year:1999-00 dining'), await find('deadlock -deadlock')]).toEqual([[], []])
    expect(await find('deadlock -course:csc369')).toEqual(['Locks'])
    expect((await find('-course:csc443')).sort()).toEqual(['Deadlock', 'Dining'])
    expect(await find(`deadlock -year:${academicYear}`)).toEqual([])
    expect([await find(`deadlock -by:"${owner.name}"`), await find('by:nobody deadlock')]).toEqual([[], []])
  })

  it('finds notes by the name of their author', async () => {
    const { ask, find } = await library([{ title: 'Rings' }])
    const author = await createUser(test, { name: '佐藤 健一' })
    const { academicYear } = (await ask('rings')).hits[0]?.note ?? { academicYear: '' }
    await createNote(test, author, { title: 'Graphs', academicYear })
    for (const text of ['佐藤健一', '佐藤 健一', '佐藤 graphs', 'by:佐藤', '"佐藤 健一"'])
      expect(await find(text), text).toEqual(['Graphs'])
  })

  it('reads Korean and Thai across blanks and particles', async () => {
    const { find } = await library([
      { title: 'a', pages: ['운영체제의 교착 상태'] },
      { title: 'b', pages: ['ปริมาณและราคา'] },
    ])
    for (const text of ['교착상태', '교착 상태는']) expect(await find(text), text).toEqual(['a'])
    expect(await find('ราคา')).toEqual(['b'])
  })

  it('reports which signs it ignored', async () => {
    const { ask } = await library([{ title: 'Maps', pages: ['of f and g'] }])
    expect(await ask('f ∘ g')).toMatchObject({ unsearched: ['∘'], hits: [{ note: { title: 'Maps' } }] })
    expect(await ask('maps ∫')).toMatchObject({ unsearched: ['∫'], hits: [{ note: { title: 'Maps' } }] })
    expect(await ask('maps ※')).toMatchObject({ unsearched: ['※'], hits: [{ note: { title: 'Maps' } }] })
  })

  it('puts titles above text', async () => {
    const { find } = await library([
      { title: 'Misc', pages: ['entropy entropy entropy'] },
      { title: 'Entropy' },
      { title: 'Heat and entropy in the steam engine' },
    ])
    expect(await find('entropy')).toEqual(['Entropy', 'Heat and entropy in the steam engine', 'Misc'])
  })

  it.each(['…!', '"', '""', '\\', '- -', '()'])('refuses %j, in which there is nothing to look for', async (text) => {
    const response = await search(test, await createUser(test), { text })
    expectRefusal(response, 'invalid_input', 'Enter something to search for.')
  })
})

let reader: TestUser
beforeAll(async () => {
  reader = await createUser(test)
  await createLibrary(test, [{ title: 'Logic and sets', pages: ['logic, sets and "quotes" \\ %'] }])
})

it.each([
  ...["logic' | 'sets", 'logic & !sets', 'logic:*', '"logic', 'logic" sets"', 'logic <-> sets', '(logic sets'],
  ...["'logic' sets", 'logic \\ sets', '!logic', '*logic', 'logic %_ sets', 'logic’ “sets”'],
])('a search bears %s, which is words and nothing else', async (text) => {
  expect((await expectStatus(200, search(test, reader, { text }))).json().hits).toHaveLength(1)
})

it.each([
  ['200 emoji', '🎓'.repeat(200)],
  ['200 emoji apart', '🎓 '.repeat(100)],
  ['a word of 200 letters', 'x'.repeat(200)],
  ['100 words', 'a '.repeat(100)],
  ['50 different words', Array.from({ length: 50 }, (_, n) => `w${n}`).join(' ')],
  ['a long run', '微'.repeat(200)],
  ['many phrases', '"a b" '.repeat(33)],
  ['quotes', '"'.repeat(199)],
  ['accents', `e${'\u0301'.repeat(190)}`],
  ['signs', '+#^%.'.repeat(40)],
  ['symbols', '∑∫√≠∞'.repeat(40)],
  ['numbers', '1234567890 '.repeat(18)],
])('a search bears %s', async (_name, text) => {
  expect([200, 400]).toContain((await search(test, reader, { text })).statusCode)
})

it.each([
  ['no text', {}],
  ['a blank', { text: '  ' }],
  ['203 characters', { text: 'x'.repeat(203) }],
  ['an unknown order', { text: 'a', sortBy: 'x' }],
  ['its own cursor', { text: 'a', cursor: 'x' }],
  ['a cursor that is no object', { text: 'a', cursor: Buffer.from('[1]').toString('base64url') }],
  ['a cursor out of range', { text: 'a', cursor: Buffer.from('{"id":"x","score":1e99}').toString('base64url') }],
])('a search bears %s, and refuses it', async (_name, query) => {
  const response = await search(test, reader, query as Record<string, string>)
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_input'])
})

it.each(['relevance', 'createdAt', 'likes'])('a search bears cursors by %s that no answer gave', async (sortBy) => {
  const forge = (last: object) => Buffer.from(JSON.stringify(last)).toString('base64url')
  const last = { id: reader.id, createdAt: '2026-01-01T00:00:00.000Z', likes: 5, score: 5, isPartial: false }
  for (const forged of [
    { ...last, createdAt: '0000-01-01T00:00:00.000Z' },
    { ...last, createdAt: '9999-12-31T23:59:59.999Z', likes: -1, score: 2 ** 31 - 1 },
    { ...last, createdAt: '0000-02-29T00:00:00.000Z', likes: 2 ** 31 - 1, score: -(2 ** 31), isPartial: true },
  ]) {
    const response = await search(test, reader, { text: 'logic', sortBy, cursor: forge(forged) })
    expect(response.statusCode, response.body).toBe(200)
  }
})

it('a search bears pages of any kind', async () => {
  const pages = [
    '',
    ' \n\t ',
    'x'.repeat(100_000),
    `${'word '.repeat(20_000)}needle`,
    '🎓'.repeat(1_000),
    'nul \0 byte needle',
    `${'é'.normalize('NFD')} needle ${'\u0301'.repeat(1_000)}`,
    Array.from({ length: 30_000 }, (_, n) => `w${n}`).join(' '),
    "it's | a 'quoted' & \\back\\slashed needle",
  ]
  const { ask } = await createLibrary(test, [{ title: 'Odd', pages }])
  const { hits } = await ask('needle')
  expect(hits).toHaveLength(1)
  expect(hits[0]?.snippets).toHaveLength(3)
  for (const { parts } of hits[0]?.snippets ?? []) {
    expect(parts.map((part) => part.text).join('').length).toBeLessThan(400)
    expect(parts.some((part) => part.isMatch && part.text === 'needle')).toBe(true)
  }
  expect((await ask('w29999')).hits).toHaveLength(1)
})

it('a search handles more words than PostgreSQL accepts, and leaves out the rarest', async () => {
  const word = (n: number) => `${n.toString(36)}${'x'.repeat(50)}`
  const pages = Array.from({ length: 30 }, (_, page) =>
    Array.from({ length: 1_500 }, (_, n) => word(page * 1_500 + n)).join(' '),
  )
  const { ask } = await createLibrary(test, [{ title: 'Long', pages: [...pages, 'frequent frequent'] }])
  expect((await ask('frequent')).hits).toHaveLength(1)
})
