/**
 * For routes whose own rules say best what is too long: a password of a megabyte is refused as a password, and a list
 * of 100,000 ids as a list, instead of as a body. Checking so much takes milliseconds.
 */
export const roomyBodyBytes = 4 * 2 ** 20
