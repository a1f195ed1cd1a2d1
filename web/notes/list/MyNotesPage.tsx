import { NotesListPage, noteListLoader } from './NotesListPage.tsx'

export const loader = noteListLoader('mine')

export const Component = () => <NotesListPage scope="mine" />
