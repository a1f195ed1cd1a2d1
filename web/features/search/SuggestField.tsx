import { Field, type FieldText } from '../../platform/ui/Field.tsx'
import '../../platform/ui/field.css'
import { SuggestInput, type SuggestInputProps } from './SuggestInput.tsx'

type SuggestFieldProps = FieldText & SuggestInputProps

/** A labelled text field that suggests existing values while the user types. */
export const SuggestField = ({ label, error, hint, optional, className, id, ...input }: SuggestFieldProps) => (
  <Field {...{ label, error, hint, optional, className, id }}>
    {(inputProps) => <SuggestInput type="text" {...input} {...inputProps} className="field-input" />}
  </Field>
)
