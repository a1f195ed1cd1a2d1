type TextInput = Pick<HTMLInputElement, 'value' | 'selectionStart' | 'selectionEnd' | 'setSelectionRange'>

/** Lower-cases what an input holds and leaves the caret where it is. */
export function lowerCaseInPlace(input: TextInput): void {
  const lowered = input.value.toLowerCase()
  if (lowered === input.value) return
  const { selectionStart, selectionEnd } = input
  input.value = lowered
  input.setSelectionRange(selectionStart, selectionEnd)
}
