import { NotesListPage, noteListLoader } from './NotesListPage.tsx'

export const loader = noteListLoader('all')

export const Component = () => <NotesListPage scope="all" />
