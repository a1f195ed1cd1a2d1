import type { LoaderFunctionArgs } from 'react-router'
import { OwnNotes } from '../mine/OwnNotes.tsx'
import { SharingFacts } from '../sharing/SharingFacts.tsx'
import { prepareSharing } from '../sharing/sharing-query.ts'
import { NotesListPage, noteListLoader } from './NotesListPage.tsx'

const listLoader = noteListLoader('mine')

export async function loader(args: LoaderFunctionArgs): Promise<null> {
  await Promise.all([listLoader(args), prepareSharing()])
  return null
}

export const Component = () => (
  <NotesListPage scope="mine" Notes={OwnNotes}>
    <SharingFacts />
  </NotesListPage>
)
