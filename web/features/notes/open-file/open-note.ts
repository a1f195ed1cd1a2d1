import { viewNote } from '../../../../packages/contract/notes.endpoints.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import { api } from '../../../platform/api/client.ts'
import { showError } from '../../../platform/ui/toast.ts'
import { showFailure } from '../write-note.ts'
import { addToRecentlyViewed } from './recently-viewed.ts'
import { saveFile } from './save-file.ts'

const opening = new Set<string>()
const closedCheckMs = 500
const revokeCheckMs = 30_000
const openFailure = 'Failed to view note. Please try again later.'
const popupBlockedMessage = 'Your browser blocked the new tab. Allow pop-ups for this site and try again.'

/**
 * Opens a note's file in a new tab. Call it directly in the click handler: pop-up blockers block a tab that opens after
 * an await. The file needs the access token, so it is fetched here and shown from memory. A browser without a PDF
 * viewer saves it under the note's title instead.
 */
export async function openNote(note: Note): Promise<void> {
  if (opening.has(note._id)) return
  const tab = window.open('about:blank', '_blank')
  // Some blockers return a tab that is already closed.
  if (tab === null || tab.closed) return showError(popupBlockedMessage)
  opening.add(note._id)
  showWaiting(tab, note.title)
  const aborter = new AbortController()
  const watch = setInterval(() => tab.closed && aborter.abort(), closedCheckMs)
  try {
    const file = await api.call(viewNote, { params: { id: note._id }, signal: aborter.signal })
    if (tab.closed) return
    if (navigator.pdfViewerEnabled) showFile(tab, file, note.title)
    else {
      // Such a browser would save the shown file under a generated name, and the tab would stay open.
      tab.close()
      saveFile(file, note.title)
    }
    void addToRecentlyViewed(note._id)
  } catch (failure) {
    // Closing the tab cancels the request, so no error is shown.
    if (tab.closed) return
    tab.close()
    showFailure(failure, note._id, openFailure)
  } finally {
    clearInterval(watch)
    opening.delete(note._id)
  }
}

function showWaiting(tab: Window, title: string): void {
  tab.document.title = title
  tab.document.documentElement.lang = 'en'
  const text = tab.document.createElement('p')
  text.textContent = `Opening “${title}”…`
  Object.assign(text.style, { font: '1.125rem system-ui, sans-serif', margin: '18vh auto', textAlign: 'center' })
  tab.document.documentElement.style.colorScheme = 'light dark'
  tab.document.body.append(text)
}

function showFile(tab: Window, file: Blob, title: string): void {
  // The type is set here and not taken from the response: a page shown from memory has this site's rights, so it may
  // only be a PDF. Some browsers use the name of the file when it is saved from there.
  const url = URL.createObjectURL(new File([file], `${title}.pdf`, { type: 'application/pdf' }))
  tab.location.replace(url)
  // The file stays in memory while its tab can be reloaded.
  const timer = setInterval(() => {
    if (!tab.closed) return
    clearInterval(timer)
    URL.revokeObjectURL(url)
  }, revokeCheckMs)
}
