import { expect, it } from 'vitest'
import { instanceSettingsMessages, invitationForm, registrationForm } from './instance-settings.ts'

it('reads domains as they are typed, where they decide', () => {
  const typed = ' @UNI.example, mail.uni.example;\nxn--mnchen-3ya.example '
  expect(registrationForm.parse({ mode: 'domains', domains: typed })).toEqual({
    mode: 'domains',
    domains: ['uni.example', 'mail.uni.example', 'xn--mnchen-3ya.example'],
  })
  expect(registrationForm.parse({ mode: 'open', domains: 'no domain' })).toEqual({ mode: 'open', domains: [] })
})

it.each([
  [' , ', instanceSettingsMessages.domains],
  ['uni.example münchen.example', instanceSettingsMessages.domain],
  [Array.from({ length: 51 }, (_, index) => `${index}.uni.example`).join(), instanceSettingsMessages.manyDomains],
])('reports what is wrong with %j at its field', (domains, message) => {
  const { error } = registrationForm.safeParse({ mode: 'domains', domains })
  expect(error?.issues).toMatchObject([{ path: ['domains'], message }])
})

it('reads the invited address, if any', () => {
  expect(invitationForm.parse({ email: ' ' })).toEqual({})
  expect(invitationForm.parse({ email: ' Grace@uni.example' })).toEqual({ email: 'grace@uni.example' })
  expect(invitationForm.safeParse({ email: 'grace' }).error?.issues).toMatchObject([{ path: ['email'] }])
})
