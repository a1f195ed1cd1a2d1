/** RFC 9562's Nil UUID: nobody and nothing has it, and no other id comes before it. */
export const nilId = '00000000-0000-0000-0000-000000000000'
