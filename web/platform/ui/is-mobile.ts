/** Whether the page has phone width, as in the style sheets. For behaviour, not for looks. */
export const isMobile = () => matchMedia('(width < 40rem)').matches
