type TextInput = Pick<HTMLInputElement, 'value' | 'selectionStart' | 'selectionEnd' | 'setSelectionRange'>

/** Lower-cases the value of an input and keeps the caret position. */
export function lowerCaseInPlace(input: TextInput): void {
  const lowered = input.value.toLowerCase()
  if (lowered === input.value) return
  const { selectionStart, selectionEnd } = input
  input.value = lowered
  input.setSelectionRange(selectionStart, selectionEnd)
}
