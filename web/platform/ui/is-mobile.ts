/** Whether the page has phone width, as in the style sheets. For behaviour, not for looks. */
export const isMobile = () => matchMedia('(width < 40rem)').matches

/** Whether a focused field would open a keyboard over the page. */
export const isTouch = () => matchMedia('(pointer: coarse)').matches
