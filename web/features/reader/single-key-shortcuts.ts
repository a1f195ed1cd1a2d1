import { createPreference } from '../../platform/ui/create-preference.ts'

/**
 * Whether letters, digits and signs do something by themselves. Whoever speaks to the computer types them by accident
 * (WCAG 2.1.4).
 */
export const singleKeyShortcuts = createPreference('lectern-single-keys', ['on', 'off'])
