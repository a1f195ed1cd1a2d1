import type { CSSProperties } from 'react'
import { foldCourseCode } from '../../../../packages/contract/course-code.ts'

/** Hues are 15 degrees apart: fewer would repeat too soon, and more could not be distinguished. */
const steps = 24

export const courseHues = Array.from({ length: steps }, (_, step) => step * (360 / steps))

/**
 * Returns the hue of a course, 0 to 345 degrees in OKLCH. It depends only on the folded code, so `CS 101` and `cs-101`
 * share one hue, as they share one search result.
 */
export const courseHue = (courseCode: string): number => courseHues[hashText(foldCourseCode(courseCode)) % steps] ?? 0

/** Gives an element the colours of a course; see styles.css. */
export const hueStyle = (courseCode: string) => ({ '--hue': courseHue(courseCode) }) as CSSProperties

/** FNV-1a with a final mix, 32 bits. Short texts that differ in one character get very different hashes. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
