import type { Observer } from '../observe/observer.ts'
import { isRefused } from './failed-delivery.ts'
import type { Mailer } from './mailer.ts'

/** A mailer whose mails are counted: `sent`, `refused` for good by what the mail server said of the recipient, or `failed`. */
export function observeMailer<M extends Mailer>(mailer: M, { metrics }: Observer): M {
  for (const outcome of ['sent', 'refused', 'failed']) metrics.mails.zero({ outcome })
  return {
    ...mailer,
    async send(mail) {
      const end = metrics.mails.startTimer()
      try {
        await mailer.send(mail)
        end({ outcome: 'sent' })
      } catch (error) {
        end({ outcome: isRefused(error) ? 'refused' : 'failed' })
        throw error
      }
    },
  }
}
