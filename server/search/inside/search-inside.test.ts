import { describe, expect, it } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { createUser, type NoteValues } from '../../test/factories.ts'
import { expectRefusal } from '../../test/refusal.ts'
import { createLibrary, marked, search, writePages } from '../../test/searching.ts'

const test = await openTestApp()
const { db } = test.deps
const library = (notes: (NoteValues & { pages?: string[] })[]) => createLibrary(test, notes)

describe('a search', () => {
  it('finds words wherever they stand in a note, all of them', async () => {
    const { find } = await library([
      {
        title: 'Waves',
        courseCode: 'PHY 201',
        instructor: 'Prof. José Núñez',
        pages: ['Nothing here', 'A dispersion relation'],
      },
      { title: 'Optics', courseCode: 'PHY 202', pages: ['The dispersion of light'] },
    ])
    expect(await find('dispersion waves')).toEqual(['Waves'])
    expect(await find('nunez relation phy201')).toEqual(['Waves'])
    expect((await find('dispersion')).sort()).toEqual(['Optics', 'Waves'])
    expect(await find('dispersion tensor')).toEqual([])
    expect((await find('DISPERSIÓN phy')).sort()).toEqual(['Optics', 'Waves'])
  })

  it('shows up to three passages, as text, with what was found marked', async () => {
    const { ask } = await library([
      {
        title: 'Waves',
        pages: ['<b>Fourier</b> & the\nFourier transform', 'none', 'fourier', 'FOURIER again', 'Fouriér'],
      },
    ])
    const { hits } = await ask('fourier')
    expect(hits.map(marked)).toEqual([
      [
        [1, '<b>[Fourier]</b> & the [Fourier] transform'],
        [3, '[fourier]'],
        [4, '[FOURIER] again'],
      ],
    ])
  })

  it.each(['csc 108', 'CSC-108', 'csc108', 'Csc  108'])('takes %s for one course', async (text) => {
    const { find } = await library([
      { title: 'a', courseCode: 'CSC108' },
      { title: 'b', courseCode: 'CSC 108' },
      { title: 'c', courseCode: 'CSC-108' },
      { title: 'd', courseCode: 'CSC209' },
      { title: 'e', pages: ['as in CSC 108 last year'] },
    ])
    expect((await find(text)).sort()).toEqual(['a', 'b', 'c', 'e'])
    expect((await find(text)).at(-1)).toBe('e')
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
    const { find } = await library([
      { title: 'C++ templates' },
      { title: 'Systems', pages: ['written in C++, mostly'] },
      { title: 'C# generics' },
      { title: 'F# monads' },
      { title: '.NET basics' },
      { title: 'Parabolas', pages: ['y = x^2 + 1'] },
      { title: 'Squares', pages: ['y = x² + 1'] },
      { title: 'Calculus with λ' },
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
    ])
    expect(await find('"mean value theorem"')).toEqual(['Mean value theorem', 'Analysis'])
    expect((await find('mean value theorem')).at(0)).toBe('Mean value theorem')
    expect((await ask('"value theorem" says')).hits.map(marked)).toEqual([[[1, 'the mean [value theorem] [says]']]])
  })

  it('finds the inside of what is written without blanks', async () => {
    const { find, ask } = await library([
      { title: '常微分方程入門' },
      { title: 'Lecture 4', pages: ['これは微分方程式の講義ノートです。'] },
    ])
    expect((await find('微分方程')).sort()).toEqual(['Lecture 4', '常微分方程入門'].sort())
    expect(await find('講義')).toEqual(['Lecture 4'])
    expect(await find('講')).toEqual(['Lecture 4'])
    expect(await find('方微')).toEqual([])
    expect((await ask('講義')).hits.map(marked)).toEqual([[[1, 'これは微分方程式の[講義]ノートです。']]])
  })

  it('finds words that the end of a line, a ligature or a soft hyphen breaks', async () => {
    const { find } = await library([{ title: 'a', pages: ['an ef\u00adﬁcient deri-\n  vative'] }])
    expect(await find('efficient derivative')).toEqual(['a'])
    expect(await find('"efficient derivative"')).toEqual(['a'])
  })

  it('forgives an error in titles, courses and instructors, after what is exact', async () => {
    const { find } = await library([
      { title: 'Linear Algebra' },
      { title: 'Algebar as typed' },
      { title: 'x', instructor: 'Prof. Okonkwo' },
      { title: 'Text', pages: ['the algebra of sets'] },
    ])
    expect(await find('algebar')).toEqual(['Algebar as typed', 'Linear Algebra'])
    expect(await find('algbra')).toEqual(['Linear Algebra'])
    expect(await find('okonkow')).toEqual(['x'])
    expect(await find('linaer algerba')).toEqual(['Linear Algebra'])
    expect(await find('algebras')).toEqual(['Linear Algebra', 'Text'])
  })

  it('puts titles above text', async () => {
    const { find } = await library([
      { title: 'Misc', pages: ['entropy entropy entropy'] },
      { title: 'Entropy' },
      { title: 'Heat and entropy in the steam engine' },
    ])
    expect(await find('entropy')).toEqual(['Entropy', 'Heat and entropy in the steam engine', 'Misc'])
  })

  it.each(['csc109', 'CSC 109'])('asks of %s whether a course that is there was meant', async (text) => {
    const { ask } = await library([
      { title: 'Loops', courseCode: 'CSC108' },
      { title: 'Waves', courseCode: 'PHY109' },
    ])
    expect(await ask(text)).toMatchObject({ hits: [], didYouMean: 'csc108' })
  })

  it('says what was probably meant, and what to leave out', async () => {
    const { ask } = await library([{ title: 'Notes', pages: ['eigenvalue, eigenvalue of a matrix, eigenvaleux'] }])
    expect(await ask('eigenvlaue')).toEqual({ hits: [], next: null, didYouMean: 'eigenvalue', leaveOut: [] })
    expect((await ask('eigenvaleux eigenvaleu matrix')).didYouMean).toBe('eigenvaleux eigenvalue matrix')
    expect(await ask('matrix zyzzyva')).toEqual({ hits: [], next: null, didYouMean: null, leaveOut: ['zyzzyva'] })
  })

  it.each(['…!', '"', '""', '\\', '- -', '()'])('refuses %j, in which there is nothing to look for', async (text) => {
    const response = await search(test, await createUser(test), { text })
    expectRefusal(response, 'invalid_input', 'Please type something to look for.')
  })

  it('refuses a visitor', async () => {
    expectRefusal(await search(test, null, { text: 'a' }), 'unauthorized')
  })
})

describe('what is searched', () => {
  it('changes with the note and its pages', async () => {
    const { find, ids, owner } = await library([{ title: 'Old title', pages: ['old words'] }])
    const [id = ''] = ids
    await writePages(test, id, ['new words'])
    expect(await find('old words')).toEqual(['Old title'])
    expect(await find('"old words"')).toEqual([])
    expect(await find('new')).toEqual(['Old title'])
    await test.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${id}`, headers: owner.auth })
    expect(await find('new')).toEqual([])
    expect(await db.selectFrom('search_entries').select('note_id').where('note_id', '=', id).execute()).toEqual([])
  })
})
