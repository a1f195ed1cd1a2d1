import { useEffect } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { ClosedMatters, OwnMatters } from '../mine/OwnMatters.tsx'
import { choosing, OwnNotes } from '../mine/OwnNotes.tsx'
import { prepareOwnMatters } from '../mine/own-matters-query.ts'
import { SharingFacts } from '../sharing/SharingFacts.tsx'
import { prepareSharing } from '../sharing/sharing-query.ts'
import { NotesListPage, noteListLoader } from './NotesListPage.tsx'

const listLoader = noteListLoader('mine')

export async function loader(args: LoaderFunctionArgs): Promise<null> {
  await Promise.all([listLoader(args), prepareSharing(), prepareOwnMatters()])
  return null
}

export function Component() {
  useEffect(() => choosing.stop, [])
  return (
    <NotesListPage scope="mine" Notes={OwnNotes} after={<ClosedMatters />}>
      <OwnMatters />
      <SharingFacts />
    </NotesListPage>
  )
}
