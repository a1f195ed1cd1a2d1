import { session } from '../../platform/session/store.ts'
import { readStored, store } from '../../platform/storage.ts'

export const steps = ['follow', 'look', 'upload'] as const
export type Step = (typeof steps)[number]

/** Students may share a device. */
const keyOf = (step: Step) => `lectern-first-step-${step} ${session.getState().user?._id}`

const getStep = (step: Step) => readStored(keyOf(step)) ?? 'open'
export const getSteps = () => ({ follow: getStep('follow'), look: getStep('look'), upload: getStep('upload') })

export const markStep = (step: Step, state: 'done' | 'dismissed'): void => store(keyOf(step), state)
