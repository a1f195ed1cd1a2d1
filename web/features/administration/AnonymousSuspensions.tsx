import { useQuery } from '@tanstack/react-query'
import { liftNoteAuthorSuspension } from '../../../packages/contract/members.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { Button, TextLink } from '../../platform/ui/Button.tsx'
import { Row, Section, Text } from '../../platform/ui/layout.tsx'
import { formatDay } from '../notes/format.ts'
import { noteSuspensionsQuery } from './admin-queries.ts'
import { useAdminMutation } from './use-admin-mutation.ts'

/** The suspended authors of anonymous notes, listed by note, because admins do not learn their identity. */
export function AnonymousSuspensions() {
  const { data: suspensions = [] } = useQuery(noteSuspensionsQuery)
  const lifting = useAdminMutation(
    (id: string) => api.call(liftNoteAuthorSuspension, { params: { id } }),
    () => 'Suspension lifted.',
  )
  if (suspensions.length === 0) return null
  return (
    <Section
      id="note-suspensions"
      title="Suspended anonymous authors"
      text="The authors of these anonymous notes are suspended. They aren’t listed above, so nobody can see who they are."
    >
      <ul className="rows">
        {suspensions.map(({ noteId, title, until, reason }) => (
          <Row as="li" justify="space-between" gap={[0.5, 1]} key={noteId}>
            <div>
              <Row as="p" gap={[0, 0.5]} isStrong>
                <TextLink to={paths.note(noteId)} dir="auto">
                  {title}
                </TextLink>
              </Row>
              <Text tone="soft" size="medium">
                {until ? `Until ${formatDay(until)}` : 'Until lifted'}: <span dir="auto">{reason}</span>
              </Text>
            </div>
            <Button
              size="small"
              aria-label={`Lift suspension: ${title}`}
              busy={lifting.isPending && lifting.variables === noteId}
              onClick={() => lifting.mutate(noteId)}
            >
              Lift suspension
            </Button>
          </Row>
        ))}
      </ul>
    </Section>
  )
}
