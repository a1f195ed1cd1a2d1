import { expect, it, vi } from 'vitest'
import { credentials } from './accounts.ts'
import { listedCourse } from './courses.ts'
import * as fields from './fields.ts'
import { membersQuery } from './members.ts'
import { noteEdit } from './notes.ts'
import { passkeyForm } from './passkeys.ts'
import { suggestionsQuery } from './search.ts'
import { codeForm } from './two-factor.ts'

const lines = {
  name: fields.name,
  title: fields.title,
  courseCode: fields.courseCode,
  instructor: noteEdit.shape.instructor,
  searchText: suggestionsQuery.shape.text,
  memberSearch: membersQuery.shape.text,
  courseName: listedCourse.shape.name,
  passkeyName: passkeyForm.shape.name,
}
const kinds = Object.entries(lines)

it.each([
  ['  A\r\n\t\u2028B\u2800C ', 'A B C'],
  ['\ufeffA\u200bB\u00ad\u2060C\u3164 1', 'ABC 1'],
  ['\u200eA\u202eB\u2066\u0000C\ud800', 'ABC'],
  ['A\u200dB\u200c \u200dC物\u200c理', 'AB C物理'],
  ['A\ufe0f\u{e0068}\u{e0101}B', 'AB'],
  [`A${'\u0329'.repeat(90)}B`, `A${'\u0329'.repeat(8)}B`],
  [`A${'\u0344'.repeat(90)}`, `Ä${'\u0301\u0308'.repeat(4)}`],
  ['E\u200b\u0301', 'É'],
  ['ریاضی\u200cها\u200c', 'ریاضی\u200cها'],
  ['क्\u200dष ක්\u200dය ه\u200d', 'क्\u200dष ක්\u200dය ه\u200d'],
  ['A 👩🏽‍🔬 ❤️‍🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣', 'A 👩🏽‍🔬 ❤️‍🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣'],
  ['葛\u{e0100}城', '葛\u{e0100}城'],
])('every line keeps of %j %j, and of that all', (typed, kept) => {
  for (const [kind, line] of kinds) {
    expect([kind, line.safeParse(typed).data]).toEqual([kind, kept])
    expect([kind, line.safeParse(kept).data]).toEqual([kind, kept])
  }
})

it.each([' \n', '\u200b\u3164', '\u2800', '\u0301\u200d\ufe0f'])('a line of %j is blank', (typed) => {
  for (const [kind, line] of kinds) {
    const { data, error } = line.safeParse(typed)
    expect([kind, data, error === undefined]).toEqual([kind, undefined, /instructor|member/i.test(kind)])
  }
})

it('the length of a line is that of what is kept, in characters', () => {
  expect(fields.title.safeParse(`${'😀'.repeat(200)}${'\u200b'.repeat(9_000)}`).data).toBe('😀'.repeat(200))
  const { error } = fields.title.safeParse('😀'.repeat(201))
  expect(error?.issues[0]?.message).toBe(fields.tooLong(200))
})

it('nothing long is normalised of a tower of marks', () => {
  const normalised = vi.spyOn(String.prototype, 'normalize')
  expect(fields.name.safeParse(`a${'\u0315\u0300'.repeat(15_000)}`).success).toBe(true)
  expect(normalised).toHaveBeenCalled()
  expect(Math.max(...normalised.mock.contexts.map((one) => String(one).length))).toBeLessThan(20)
})

it('long input is refused before it is cleaned, and a code that is too long is not folded', () => {
  const cleaned = vi.spyOn(String.prototype, 'replace')
  expect(fields.name.safeParse('\u0301'.repeat(50_001)).success).toBe(false)
  expect(credentials.safeParse({ email: '\u0301'.repeat(10_000), password: 'x' }).success).toBe(false)
  expect(cleaned).not.toHaveBeenCalled()
  cleaned.mockRestore()
  const normalised = vi.spyOn(String.prototype, 'normalize')
  expect(fields.courseCode.safeParse(`-${'\u0315'.repeat(8)}`.repeat(3_800)).success).toBe(false)
  expect(normalised).not.toHaveBeenCalledWith('NFKC')
})

it('looks for a title of full length as a phrase', () =>
  expect(fields.searchText.safeParse(`"${'x y '.repeat(50).trim()}x"`).success).toBe(true))

it('addresses and login codes are taken as they are pasted', () => {
  const pasted = { email: '\u200eAda@Uni.example\u200b', password: 'x' }
  expect(credentials.safeParse(pasted).data).toMatchObject({ email: 'ada@uni.example' })
  expect(codeForm.safeParse({ code: '１２３ ４５６\u200e' }).data).toEqual({ code: '123 456' })
})

it('of a text of several lines each is kept, and paragraphs', () => {
  const text = fields.multiLineText(20, 'blank')
  expect(text.safeParse(' a\u202e\u200b \r\nb\n\n \n\nc\u2800').data).toBe('a \nb\n\nc')
  expect(text.safeParse('\n\u200b').error?.issues[0]?.message).toBe('blank')
})
