import type { RegistrationPolicy } from '../../../packages/contract/instance-settings.ts'

const usual = 'One account, and every shelf is open to you.'

/** The intro of the register page, and whether it hides the form from visitors without an invitation. */
export function describePolicy(policy: RegistrationPolicy | null, isInvited: boolean) {
  if (isInvited) return { intro: `You are invited. ${usual}`, isClosed: false }
  if (policy?.mode === 'invited') {
    return {
      intro: 'You need an invitation to register here. Have you got one? Open the link in it. Otherwise ask an admin.',
      isClosed: true,
    }
  }
  const emailHint = policy?.mode === 'domains' ? `It has to be one of ${listDomains(policy.domains)}.` : undefined
  return { intro: usual, emailHint, isClosed: false }
}

const listDomains = (domains: string[]) =>
  domains.length === 1 ? domains[0] : `${domains.slice(0, -1).join(', ')} or ${domains.at(-1)}`
