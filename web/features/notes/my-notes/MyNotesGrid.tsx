import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { foldCourseCode } from '../../../../packages/contract/course-code.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import { addUnsavedCheck } from '../../../platform/layout/unsaved.ts'
import { Button } from '../../../platform/ui/Button.tsx'
import { Checkbox } from '../../../platform/ui/Checkbox.tsx'
import { Icon } from '../../../platform/ui/Icon.tsx'
import { Row, Text } from '../../../platform/ui/layout.tsx'
import { getCachedNote } from '../cache/note-cache.ts'
import { CardGrid } from '../card/CardGrid.tsx'
import type { NoteActions } from '../card/NoteCard.tsx'
import { countOf } from '../format.ts'
import type { NotesProps } from '../list/NotesListPage.tsx'
import { groupedByCourse, listView } from '../list/preferences.ts'
import { createSelection, type NoteSelection } from './note-selection.ts'
import { SelectionBar } from './SelectionBar.tsx'
import './my-notes-grid.css'

/** The selection outlives the list, which is a different one when it is grouped. */
export const choosing = createSelection()

/** Shows the author's notes, optionally grouped by course, with a selection of several notes. */
export function MyNotesGrid({ list, actions }: NotesProps) {
  const { noteIds, search, isBlocked } = list
  const isCompact = listView.use() === 'list'
  const isChoosing = useStore(choosing.store, ({ chosen }) => chosen !== null)
  const groups = search.isGrouped ? groupByCourse(noteIds) : null
  const order = groups?.flatMap((group) => group.noteIds) ?? noteIds
  const cardActions = useCardActions(actions, choosing, isChoosing, order)
  useSelectCourse(choosing, groups, list)
  useEffect(() => addUnsavedCheck(() => (choosing.store.getState().chosen?.size ?? 0) > 0), [])

  return (
    <>
      <Row justify="space-between" gap={[0.25, 1.5]} top={-0.5} bottom={1} className="my-notes-grid-tools">
        <Checkbox
          label="Group by course"
          checked={search.isGrouped}
          disabled={isBlocked}
          onChange={({ target }) => groupedByCourse.choose(target.checked ? 'true' : 'false')}
        />
        <Button
          variant="secondary"
          size="small"
          icon={<Icon name="list-checks" />}
          aria-pressed={isChoosing}
          onClick={isChoosing ? choosing.stop : choosing.start}
        >
          Select notes
        </Button>
      </Row>
      {groups?.map((group, at) => (
        <CourseSection
          key={group.key}
          group={group}
          hasMore={at === groups.length - 1 && list.hasMore}
          isBlocked={isBlocked}
          isCompact={isCompact}
          actions={cardActions}
          onChooseAll={isChoosing ? () => choosing.selectCourse(group.key) : undefined}
        />
      )) ?? <CardGrid noteIds={noteIds} {...{ isBlocked, isCompact }} heading="h2" actions={cardActions} />}
      {isChoosing && <SelectionBar choosing={choosing} shownIds={order} isBlocked={isBlocked} />}
    </>
  )
}

/** Returns the same object until selecting starts or ends, because a new one renders all cards again. */
function useCardActions(
  actions: NoteActions | undefined,
  choosing: NoteSelection,
  isChoosing: boolean,
  order: string[],
): NoteActions | undefined {
  const latest = useRef(order)
  useLayoutEffect(() => {
    latest.current = order
  }, [order])
  return useMemo(() => {
    if (!isChoosing) return actions
    const readOrder = () => latest.current
    return actions && { ...actions, choice: (note) => <SelectNoteCheckbox {...{ note, choosing, readOrder }} /> }
  }, [actions, choosing, isChoosing])
}

/**
 * Selects all notes of the requested course. It loads the remaining pages one by one until one fails; a page that
 * failed earlier is tried again.
 */
function useSelectCourse(choosing: NoteSelection, groups: CourseGroup[] | null, list: NotesProps['list']): void {
  const course = useStore(choosing.store, (choice) => choice.course)
  const { hasMore, hasMoreFailed, isLoadingMore, loadMore } = list
  const hasAsked = useRef(false)
  useEffect(() => {
    if (course === null) {
      hasAsked.current = false
      return
    }
    const group = groups?.find(({ key }) => key === course)
    if (group) choosing.add(group.noteIds)
    // `hasMoreFailed` stays true from an earlier attempt until the new one has a result.
    const hasFailed = hasMoreFailed && hasAsked.current && !isLoadingMore
    const goesOn = group !== undefined && group === groups?.at(-1) && hasMore && !hasFailed
    if (!goesOn) choosing.selectCourse(null)
    else if (!isLoadingMore) {
      hasAsked.current = true
      void loadMore()
    }
  })
}

type CourseSectionProps = {
  group: CourseGroup
  /** Whether the course may have notes that are not loaded yet. */
  hasMore: boolean
  isBlocked: boolean
  isCompact: boolean
  actions: NoteActions | undefined
  onChooseAll: (() => void) | undefined
}

function CourseSection({ group, hasMore, isBlocked, isCompact, actions, onChooseAll }: CourseSectionProps) {
  const { key, courseCode, noteIds } = group
  const count = countOf(noteIds.length, 'note')
  return (
    <section aria-labelledby={`course-${key}`} className="my-notes-grid-course">
      <Row align="baseline" gap={[0, 1]} bottom={0.75} className="my-notes-grid-course-head">
        <h2 id={`course-${key}`} className="text">
          {courseCode}
        </h2>
        <Text tone="soft" size="small">
          {hasMore ? `${count} shown` : count}
        </Text>
        {onChooseAll && (
          <Button
            variant="ghost"
            size="small"
            icon={<Icon name="check-check" />}
            busy={isBlocked}
            onClick={onChooseAll}
          >
            Select all<span className="visually-hidden"> in {courseCode}</span>
          </Button>
        )}
      </Row>
      <CardGrid noteIds={noteIds} {...{ isBlocked, isCompact }} heading="h3" actions={actions} />
    </section>
  )
}

type CourseGroup = { key: string; courseCode: string; noteIds: string[] }

/** Groups notes by folded course code, in the order in which the courses first appear. */
function groupByCourse(noteIds: string[]): CourseGroup[] {
  const groups = new Map<string, CourseGroup>()
  for (const noteId of noteIds) {
    const { courseCode = '' } = getCachedNote(noteId) ?? {}
    const key = foldCourseCode(courseCode)
    const group = groups.get(key)
    if (group) group.noteIds.push(noteId)
    else groups.set(key, { key, courseCode, noteIds: [noteId] })
  }
  return [...groups.values()]
}

type SelectNoteCheckboxProps = { note: Note; choosing: NoteSelection; readOrder: () => string[] }

/** A checkbox over the thumbnail of a card. With Shift it changes all notes from the last touched one to this one. */
function SelectNoteCheckbox({ note, choosing, readOrder }: SelectNoteCheckboxProps) {
  const isChosen = useStore(choosing.store, ({ chosen }) => chosen?.has(note._id) ?? false)
  return (
    <label className="select-note-checkbox">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ nativeEvent }) =>
          choosing.toggle(note._id, (nativeEvent as PointerEvent).shiftKey === true, readOrder())
        }
      />
      <span className="select-note-checkbox-box">
        <Icon name="check" strokeWidth={3} />
      </span>
      <span className="visually-hidden">Select {note.title}</span>
    </label>
  )
}
