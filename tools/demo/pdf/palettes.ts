export const black = '#1a1a1f'
export const gray = '#5c5c5c'
export const paleGray = '#f4f4f4'

/** Colours that students give their notes: one to lead, one to contrast, one for grounds. */
export type Palette = { accent: string; second: string; soft: string }

export const palettes: Palette[] = [
  { accent: '#1c4587', second: '#cc5421', soft: '#e8f0fa' },
  { accent: '#0d6b61', second: '#b8730d', soft: '#e3f5f0' },
  { accent: '#7a1f4d', second: '#296680', soft: '#faebf2' },
  { accent: '#5c3b8f', second: '#218066', soft: '#f0ebfa' },
  { accent: '#293342', second: '#bf3333', soft: '#edf0f2' },
  { accent: '#9e4714', second: '#1a5980', soft: '#fcf2e6' },
]
export const inks = ['#1a2b80', '#141a29', '#212121', '#0d4780']
export const secondInks = ['#bf2129', '#0d734d', '#802980', '#cc590d']
export const markers = ['#ffeb73', '#c2f2b3', '#ffd4e0', '#bde8fa']
