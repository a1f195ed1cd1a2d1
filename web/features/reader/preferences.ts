import { createPreference } from '../../platform/storage.ts'

/**
 * Whether single letters, digits and signs are shortcuts. Users of speech input trigger them by accident (WCAG 2.1.4).
 */
export const singleKeyShortcuts = createPreference('lectern-single-keys', ['on', 'off'])

export const darkPages = createPreference('lectern-dark-pages', ['false', 'true'])
export const toggleDarkPages = () => darkPages.choose(darkPages.get() === 'true' ? 'false' : 'true')
