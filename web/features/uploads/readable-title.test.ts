import { expect, it } from 'vitest'
import { readableTitle, suggestTitle } from './readable-title.ts'

it.each([
  ['Linear Algebra.pdf', 'Linear Algebra'],
  ['Red-black trees.PDF', 'Red-black trees'],
  ['03_graph-search.pdf', '03 graph search'],
  ['Red-black trees_week 3.pdf', 'Red-black trees week 3'],
  ['week-3-limits.pdf', 'week 3 limits'],
  ['midterm-2025-26.pdf', 'midterm 2025-26'],
  ['__notes__.pdf', 'notes'],
  ['C++ templates.pdf', 'C++ templates'],
  ['\u202egnp.pdf', 'gnp'],
  ['e\u0301tude.pdf', 'étude'],
  [`${'x'.repeat(300)}.pdf`, 'x'.repeat(200)],
  ['.pdf', 'Untitled'],
])('the title made of a file’s name %j reads %j', (fileName, title) => expect(readableTitle(fileName)).toBe(title))

it.each([
  ['Graph search\nand its uses', 'Graph search and its uses'],
  ['Notes', null],
  ['notes', null],
  ['', null],
  [undefined, null],
  ['Untitled', null],
  ['Microsoft Word - hw3.docx', null],
  ['hw3.tex', null],
  ['Slide 1', null],
])('the title within a PDF %j is offered as %j', (pdfTitle, offered) => {
  expect(suggestTitle(pdfTitle, 'Notes')).toBe(offered)
})
