import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { foldCourseCode } from '../../../../packages/contract/course-code.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import { lazyPart } from '../../../platform/layout/chunk-reload.ts'
import { addUnsavedCheck } from '../../../platform/layout/unsaved.ts'
import { Button } from '../../../platform/ui/Button.tsx'
import { whenIdle } from '../../../platform/ui/browser.ts'
import { Checkbox } from '../../../platform/ui/fields.tsx'
import { Icon, type IconName } from '../../../platform/ui/Icon.tsx'
import { Row, Text } from '../../../platform/ui/layout.tsx'
import { useDialog } from '../../../platform/ui/use-dialog.ts'
import { getCachedNote } from '../cache/note-cache.ts'
import { CardGrid } from '../card/CardGrid.tsx'
import { CardGridSkeleton } from '../card/CardSkeleton.tsx'
import type { NoteActions } from '../card/NoteCard.tsx'
import { countOf } from '../format.ts'
import { preloadList } from '../list/list-query.ts'
import type { NotesProps } from '../list/NotesListPage.tsx'
import { groupedByCourse, listView } from '../list/preferences.ts'
import { selection, useSelection } from './note-selection.ts'
import './my-notes-grid.css'

const loadDialogs = () => import('./BulkDialogs.tsx')
const BulkEditDialog = lazyPart(() => loadDialogs().then((part) => part.BulkEditDialog))
const BulkDeleteDialog = lazyPart(() => loadDialogs().then((part) => part.BulkDeleteDialog))

export function MyNotesGrid({ list, actions }: NotesProps) {
  const { noteIds, search, isBlocked } = list
  const isCompact = listView.use() === 'list'
  const isChoosing = useSelection(({ chosen }) => chosen !== null)
  const groups = search.isGrouped ? groupByCourse(noteIds) : null
  const order = groups?.flatMap((group) => group.noteIds) ?? noteIds
  // A new object only when selecting starts or ends, because it renders all cards again.
  const cardActions = useMemo(
    () => (actions && isChoosing ? { ...actions, choice: renderCheckbox } : actions),
    [actions, isChoosing],
  )
  useLayoutEffect(() => selection.setOrder(order), [order])
  useSelectCourse(groups, list)
  useEffect(() => addUnsavedCheck(() => (useSelection.getState().chosen?.size ?? 0) > 0), [])

  return (
    <>
      <Row justify="space-between" gap={[0.25, 1.5]} top={-0.5} bottom={1} className="my-notes-grid-tools">
        <Checkbox
          label="Group by course"
          checked={search.isGrouped}
          // Not disabled, which would lose the focus.
          aria-disabled={isBlocked}
          onChange={({ target }) => {
            if (isBlocked) return
            // No navigation, so no loader, renews a list that a write has outdated.
            void preloadList('mine', { ...search, isGrouped: target.checked })
            groupedByCourse.choose(target.checked ? 'true' : 'false')
          }}
        />
        <Button
          size="small"
          icon="list-checks"
          aria-pressed={isChoosing}
          onClick={isChoosing ? selection.stop : selection.start}
        >
          Select notes
        </Button>
      </Row>
      {list.isWaiting ? (
        <CardGridSkeleton isCompact={isCompact} />
      ) : (
        (groups?.map((group, at) => (
          <CourseSection
            key={group.key}
            group={group}
            hasMore={at === groups.length - 1 && list.hasMore}
            isBlocked={isBlocked}
            isCompact={isCompact}
            actions={cardActions}
            onChooseAll={isChoosing ? () => selection.selectCourse(group.key) : undefined}
          />
        )) ?? <CardGrid noteIds={noteIds} {...{ isBlocked, isCompact }} heading="h2" actions={cardActions} />)
      )}
      {isChoosing && <SelectionBar shownIds={order} isBlocked={isBlocked} />}
    </>
  )
}

/**
 * Selects all notes of the requested course. It loads the remaining pages one by one until one fails; a page that
 * failed earlier is tried again.
 */
function useSelectCourse(groups: CourseGroup[] | null, list: NotesProps['list']): void {
  const course = useSelection((choice) => choice.course)
  const { hasMore, hasMoreFailed, isLoadingMore, loadMore } = list
  const hasAsked = useRef(false)
  useEffect(() => {
    if (course === null) {
      hasAsked.current = false
      return
    }
    const group = groups?.find(({ key }) => key === course)
    if (group) selection.add(group.noteIds)
    // `hasMoreFailed` stays true from an earlier attempt until the new one has a result.
    const hasFailed = hasMoreFailed && hasAsked.current && !isLoadingMore
    const goesOn = group !== undefined && group === groups?.at(-1) && hasMore && !hasFailed
    if (!goesOn) selection.selectCourse(null)
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
          <Button variant="ghost" size="small" icon="check-check" busy={isBlocked} onClick={onChooseAll}>
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

/** A checkbox over the thumbnail of a card. With Shift it changes all notes from the last touched one to this one. */
function SelectNoteCheckbox({ note }: { note: Note }) {
  const isChosen = useSelection(({ chosen }) => chosen?.has(note._id) ?? false)
  return (
    <label className="select-note-checkbox">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ nativeEvent }) => selection.toggle(note._id, (nativeEvent as PointerEvent).shiftKey === true)}
      />
      <span className="select-note-checkbox-box">
        <Icon name="check" strokeWidth={3} />
      </span>
      <span className="visually-hidden">Select {note.title}</span>
    </label>
  )
}

const renderCheckbox = (note: Note) => <SelectNoteCheckbox note={note} />

type SelectionBarProps = {
  /** Selected notes that are not in the list are ignored. */
  shownIds: string[]
  isBlocked: boolean
}

/** Shows the number of selected notes and the actions for them. It stays visible while the user scrolls. */
function SelectionBar({ shownIds, isBlocked }: SelectionBarProps) {
  const chosen = useSelection((choice) => choice.chosen)
  const noteIds = shownIds.filter((id) => chosen?.has(id))
  const [dialog, show] = useDialog<{ kind: 'edit' | 'delete'; noteIds: string[] }>()
  useEffect(() => whenIdle(() => void loadDialogs().catch(() => {})), [])
  const isEmpty = noteIds.length === 0 || isBlocked
  const onChanged = (done: string[]) => selection.keep(noteIds.filter((id) => !done.includes(id)))
  const tool = (kind: 'edit' | 'delete', text: string, icon: IconName) => (
    <Button size="small" icon={icon} disabled={isEmpty} onClick={() => show({ kind, noteIds })}>
      {text}
      <span className="visually-hidden"> selected notes</span>
    </Button>
  )
  return (
    <Row
      as="section"
      gap={[0.25, 0.75]}
      aria-label="Selected notes"
      className="popup selection-bar"
      data-selection-bar=""
    >
      <Text isStrong isCount role="status">
        {noteIds.length} selected
      </Text>
      <Button variant="ghost" size="small" onClick={() => selection.add(shownIds)}>
        Select all
      </Button>
      <Row gap={0.5}>
        {tool('edit', 'Edit', 'pencil')}
        {tool('delete', 'Delete', 'trash')}
        <Button variant="ghost" size="small" onClick={selection.stop}>
          Done
        </Button>
      </Row>
      {dialog?.kind === 'edit' && <BulkEditDialog {...dialog} onChanged={onChanged} />}
      {dialog?.kind === 'delete' && <BulkDeleteDialog {...dialog} onChanged={onChanged} />}
    </Row>
  )
}
