import {
  type ComponentType,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Field, type FieldText } from '../../ui/Field.tsx'
import '../../ui/field.css'
import { whenIdle } from '../../ui/when-idle.ts'
import type { SuggestInputProps } from './SuggestInput.tsx'

type SuggestFieldProps = FieldText & SuggestInputProps

/**
 * A labelled line of text that suggests what exists while one types. It is a plain input until the part that suggests
 * is loaded, in a quiet moment or once one comes to it: nothing waits for that, and without it one types as ever.
 */
export function SuggestField({ label, error, hint, optional, className, id, ref, ...input }: SuggestFieldProps) {
  const [Suggesting, setSuggesting] = useState(() => loaded)
  const element = useRef<HTMLInputElement>(null)
  const selection = useRef<[number | null, number | null]>(undefined)
  const isComposing = useRef(false)

  const load = useCallback(async () => {
    loaded ??= await import('./SuggestInput.tsx').then(({ SuggestInput }) => SuggestInput).catch(() => undefined)
    // Whoever focuses a field may be about to select what is in it.
    await new Promise((resolve) => setTimeout(resolve))
    const plain = element.current
    // What is being put together by an input method would be lost with the input.
    if (plain === null || isComposing.current) return
    if (plain === document.activeElement) selection.current = [plain.selectionStart, plain.selectionEnd]
    // At once: a letter that is typed in between would be left behind the caret.
    flushSync(() => setSuggesting(() => loaded))
  }, [])
  useEffect(() => whenIdle(() => void load()), [load])

  // The other input takes over the focus, and what was selected when one came to the first.
  useLayoutEffect(() => {
    if (Suggesting === undefined || selection.current === undefined) return
    element.current?.focus()
    element.current?.setSelectionRange(...selection.current)
    selection.current = undefined
  }, [Suggesting])

  useImperativeHandle(ref, () => element.current as HTMLInputElement)

  const { kinds, value, onValueChange, onChoose, ...plain } = input
  return (
    <Field {...{ label, error, hint, optional, className, id }}>
      {(tied) =>
        Suggesting !== undefined ? (
          <Suggesting type="text" {...input} {...tied} ref={element} className="field-input" />
        ) : (
          <input
            type="text"
            {...plain}
            {...tied}
            ref={element}
            className="field-input"
            value={value}
            onChange={(event) => onValueChange(event.target.value)}
            onFocus={() => void load()}
            onCompositionStart={() => {
              isComposing.current = true
            }}
            onCompositionEnd={() => {
              isComposing.current = false
              void load()
            }}
          />
        )
      }
    </Field>
  )
}

let loaded: ComponentType<SuggestInputProps> | undefined
