/** The text of a grid whose notes could not be loaded (SPEC.md section 2). */
export const fetchErrorText = 'There was an error fetching your notes. Please try again.'
