import type { RegistrationPolicy } from '../../../packages/contract/instance-settings.ts'

const usual = 'Create an account to read and share notes.'

/** The intro of the register page, and whether it hides the form from visitors without an invitation. */
export function describePolicy(policy: RegistrationPolicy | null, isInvited: boolean) {
  if (isInvited) return { intro: `You’ve been invited to Lectern. ${usual}`, isClosed: false }
  if (policy?.mode === 'invited') {
    return {
      intro: 'Registration is by invitation only. Open the link in your invitation, or ask an admin for one.',
      isClosed: true,
    }
  }
  const emailHint = policy?.mode === 'domains' ? `Use an address ending in ${listDomains(policy.domains)}.` : undefined
  return { intro: usual, emailHint, isClosed: false }
}

const listDomains = (domains: string[]) =>
  domains.length === 1 ? domains[0] : `${domains.slice(0, -1).join(', ')} or ${domains.at(-1)}`
