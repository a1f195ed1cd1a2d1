import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { SearchSortKey } from '../../../../packages/contract/search.ts'
import { readSearchText, removeTerm, type SearchPart } from '../../../../packages/contract/search-text.ts'
import { Icon } from '../../../platform/ui/Icon.tsx'
import { describeCount, describeOtherHits } from '../../search/alternative-searches.ts'
import { filters as declared } from '../../search/filters.ts'
import { activeFilters, hasFilters, type NoteSearch, serializeSearch } from '../../search/search-params.ts'
import { countOf } from '../format.ts'
import { countQuery } from './list-query.ts'
import './search-summary.css'
import { Row, Text } from '../../../platform/ui/layout.tsx'
import type { NoteList } from './use-note-list.ts'

const orders: Record<SearchSortKey, string> = {
  relevance: 'most relevant first',
  createdAt: 'most recent first',
  likes: 'most liked first',
}

/** Shows how the search was understood: result count, order, removable filters and other fields with matches. */
export function SearchSummary({ list }: { list: NoteList }) {
  const { isWaiting, isVerySlow, shownSearch, noteIds, otherHits } = list
  if (!hasFilters(shownSearch)) return null
  if (noteIds.length === 0 && !isWaiting) return <Understood list={list} />
  return (
    <Row gap={[0.5, 0.875]} top={-0.5} bottom={1.25} tone="soft" className="search-summary">
      {/* When all notes are shown, the status of the page already contains the count. */}
      <p aria-hidden={!isWaiting && !list.hasMore}>
        {isVerySlow ? 'Still searching…' : isWaiting ? 'Searching…' : <ResultCount list={list} />}
      </p>
      <ActiveFilters list={list} />
      <Understood list={list} />
      {(isWaiting ? [] : otherHits).map((hits) => {
        const address = serializeSearch(hits.search).toString()
        return (
          <Link key={address} to={{ search: address }} className="link text search-summary-other">
            {describeOtherHits(hits)}
          </Link>
        )
      })}
    </Row>
  )
}

/** Shows a spelling correction, which the user can reject, and characters that the search ignores. */
function Understood({ list: { search, found, isWaiting, isBlocked, runSearch } }: { list: NoteList }) {
  if (isWaiting || found === undefined) return null
  const { corrected, unsearched } = found
  return (
    <>
      {corrected !== null && (
        <p>
          <button
            type="button"
            className="link"
            disabled={isBlocked}
            onClick={() => void runSearch({ ...search, isExact: true })}
          >
            Search instead for “{search.text}”
          </button>
        </p>
      )}
      {unsearched.length > 0 && <p>Not searched: {unsearched.join(' ')}</p>}
    </>
  )
}

function ActiveFilters({ list: { shownSearch: search, isBlocked, runSearch } }: { list: NoteList }) {
  const filters = activeFilters(search)
  const operators = readSearchText(search.text).filter((part) => part.isExcluded || !isText(part))
  if (filters.length + operators.length === 0) return null
  const removeButton = (shown: string, label: string, next: NoteSearch) => (
    <Text as="li" key={label}>
      <button
        type="button"
        className="text-small search-summary-filter"
        aria-label={`Remove ${label}`}
        disabled={isBlocked}
        onClick={() => void runSearch(next)}
      >
        <Text as="span" isCut maxWidth={24}>
          {shown}
        </Text>
        <Icon name="x" size={1} />
      </button>
    </Text>
  )
  return (
    <Row as="ul" gap={0.5}>
      {operators.map((part) => {
        const shown = search.text.slice(part.start, part.end).trim()
        return removeButton(shown, shown, { ...search, text: removeTerm(search.text, part) })
      })}
      {filters.map((name) => {
        const { shown = String, describe } = declared[name]
        return removeButton(shown(search[name]), describe(search[name]), { ...search, [name]: '' })
      })}
    </Row>
  )
}

const isText = ({ kind }: SearchPart) => kind === 'words' || kind === 'phrase'

function ResultCount({ list: { scope, noteIds, hasMore, search, found } }: { list: NoteList }) {
  const { data } = useQuery({ ...countQuery(scope, search), enabled: hasMore && search.text === '' })
  const counted = found?.found ?? data
  const shown = hasMore || counted?.isAll === false ? counted : { count: noteIds.length, isAll: true }
  const isRanked = readSearchText(search.text).some((part) => isText(part) && !part.isExcluded)
  const sortBy = search.sortBy === 'relevance' && !isRanked ? 'createdAt' : search.sortBy
  const order = orders[sortBy]
  if (!shown) return `${order.charAt(0).toUpperCase()}${order.slice(1)}`
  if (sortBy === 'relevance' && !shown.isAll) return `The best ${countOf(shown.count, 'note')}`
  return noteIds.length === 1 ? describeCount(shown) : `${describeCount(shown)}, ${order}`
}
