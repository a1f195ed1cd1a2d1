/** Whether the page has the room of a phone, as the sheets have it: for what is done there, not how it looks. */
export const isMobile = () => matchMedia('(width < 40rem)').matches
