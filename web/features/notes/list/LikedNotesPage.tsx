import { NotesListPage, noteListLoader } from './NotesListPage.tsx'

export const loader = noteListLoader('liked')

export const Component = () => <NotesListPage scope="liked" />
