/** What a grid says where its notes could not be had (SPEC.md section 2). */
export const fetchErrorText = 'There was an error fetching your notes. Please try again.'
