import { searchTextLength } from '../../../contract/limits.ts'
import { Icon } from '../../ui/Icon.tsx'
import { isNarrow } from '../../ui/is-narrow.ts'
import './search-box.css'
import { SuggestField } from './SuggestField.tsx'
import { searchBoxId } from './use-slash-key.ts'
import type { SuggestionKind } from './use-suggestions.ts'

type SearchBoxProps = { value: string; onValueChange: (value: string) => void; onChoose: (value: string) => void }

const label = 'Search inside the notes'
const kinds: SuggestionKind[] = ['courses', 'titles', 'instructors']

/** The one box: what is typed here is looked for in everything that notes say. */
export function SearchBox(typed: SearchBoxProps) {
  return (
    <div className="search-box">
      <SuggestField
        {...typed}
        kinds={kinds}
        id={searchBoxId}
        label={label}
        className="field-unlabelled"
        name="text"
        placeholder={isNarrow() ? label : `${label}: words, “phrases”, courses, instructors`}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        aria-keyshortcuts="/"
        maxLength={searchTextLength.max}
      />
      <Icon name="search" className="search-box-icon" />
    </div>
  )
}
