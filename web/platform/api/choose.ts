type Switch<Choice> = {
  /** The current value. */
  before: Choice
  show: (choice: Choice) => void
  send: (choice: Choice) => Promise<unknown>
  onKept?: (choice: Choice) => void
  onFailed: (failure: unknown, choice: Choice) => void
}

/** The latest choice of each switch with pending requests. */
const chosen = new Map<string, unknown>()

/**
 * Shows a choice immediately and reverts it on failure. Each switch has one request at a time, wherever it is on the
 * page, and the last choice wins: those in between are not sent.
 */
export async function choose<Choice>(key: string, choice: Choice, { before, show, send, ...on }: Switch<Choice>) {
  show(choice)
  const isSending = chosen.has(key)
  chosen.set(key, choice)
  if (isSending) return
  let kept = before
  for (let isDone = false; !isDone; ) {
    const sent = chosen.get(key) as Choice
    const failure = await send(sent).then(
      () => null,
      (cause: unknown) => ({ cause }),
    )
    if (failure === null) kept = sent
    isDone = chosen.get(key) === sent
    if (!isDone) continue
    chosen.delete(key)
    if (failure === null) on.onKept?.(sent)
    else {
      show(kept)
      on.onFailed(failure.cause, sent)
    }
  }
}
