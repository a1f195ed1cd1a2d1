import { latin1 } from '../syntax/lexer.ts'
import { PdfString } from '../syntax/values.ts'
import { auxiliaryText } from './auxiliary-text.ts'
import { dict, number } from './basic.ts'
import type { Rule } from './copier.ts'
import { isLayer } from './layers.ts'

// biome-ignore format: a list of words (ISO 32000-2, 14.8.4, and those of older versions)
const standardRoles = new Set([
  'Annot', 'Art', 'Artifact', 'Aside', 'BibEntry', 'BlockQuote', 'Caption', 'Code', 'Div', 'Document', 'DocumentFragment', 'Em',
  'FENote', 'Figure', 'Form', 'Formula', 'H', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'Index', 'L', 'LBody', 'LI', 'Lbl', 'Link',
  'NonStruct', 'Note', 'P', 'Part', 'Private', 'Quote', 'RB', 'RP', 'RT', 'Reference', 'Ruby', 'Sect', 'Span', 'Strong', 'Sub',
  'TBody', 'TD', 'TFoot', 'TH', 'THead', 'TOC', 'TOCI', 'TR', 'Table', 'Title', 'WP', 'WT', 'Warichu',
])
/** Returns whether the text is a structure type that assistive technology knows. */
export const isStandardRole = (text: string) => standardRoles.has(text)

/**
 * Matches `en`, `en-GB` and `zh-Hans-CN`. Three-letter codes are excluded, because they can be names: Ada, Ben, Ian.
 */
const languageTag = /^[a-z]{2}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i
export const language: Rule = (value) =>
  value instanceof PdfString && languageTag.test(latin1(value.bytes)) ? value : undefined

/** The allowed properties of marked content: the number that tags refer to, its language, and its replacement text. */
export const markEntries = { MCID: number, Lang: language, ActualText: auxiliaryText }
const properties = dict(markEntries)
export const markProperties: Rule = (value, copy) => (isLayer(value, copy) ? undefined : properties(value, copy))

/** Only standard tags matter to readers, so any other tag is replaced. */
export const cleanTag = (tag: string): string => (isStandardRole(tag) || tag === 'OC' ? tag : 'M')
