import type { Color } from './canvas.ts'

export type Palette = { accent: Color; second: Color; soft: Color }

/** Colours that students give their notes: one to lead, one to contrast, one for grounds. */
export const palettes: Palette[] = [
  { accent: [0.11, 0.27, 0.53], second: [0.8, 0.33, 0.13], soft: [0.91, 0.94, 0.98] },
  { accent: [0.05, 0.42, 0.38], second: [0.72, 0.45, 0.05], soft: [0.89, 0.96, 0.94] },
  { accent: [0.48, 0.12, 0.3], second: [0.16, 0.4, 0.5], soft: [0.98, 0.92, 0.95] },
  { accent: [0.36, 0.23, 0.56], second: [0.13, 0.5, 0.4], soft: [0.94, 0.92, 0.98] },
  { accent: [0.16, 0.2, 0.26], second: [0.75, 0.2, 0.2], soft: [0.93, 0.94, 0.95] },
  { accent: [0.62, 0.28, 0.08], second: [0.1, 0.35, 0.5], soft: [0.99, 0.95, 0.9] },
  { accent: [0.16, 0.4, 0.18], second: [0.55, 0.2, 0.42], soft: [0.92, 0.97, 0.91] },
  { accent: [0.02, 0.38, 0.6], second: [0.85, 0.5, 0], soft: [0.89, 0.95, 0.99] },
]

export const inks: Color[] = [
  [0.1, 0.17, 0.5],
  [0.08, 0.1, 0.16],
  [0.13, 0.13, 0.13],
  [0.05, 0.28, 0.5],
]
export const secondInks: Color[] = [
  [0.75, 0.13, 0.16],
  [0.05, 0.45, 0.3],
  [0.5, 0.16, 0.5],
  [0.8, 0.35, 0.05],
]
export const markers: Color[] = [
  [1, 0.92, 0.45],
  [0.76, 0.95, 0.7],
  [1, 0.83, 0.88],
  [0.74, 0.91, 0.98],
]
