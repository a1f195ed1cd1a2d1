type Post = <T>(path: string, body: unknown) => Promise<T>
type Column = { type: string; special?: string; isKey?: boolean; isOptional?: boolean; default?: unknown }

const key: Column = { type: 'uuid', special: 'uuid', isKey: true }
const link: Column = { type: 'uuid', special: 'm2o', isOptional: true }

const collections: Record<string, Record<string, Column>> = {
  notes: {
    id: key,
    title: { type: 'string' },
    course_code: { type: 'string' },
    academic_year: { type: 'string' },
    instructor: { type: 'string', isOptional: true },
    is_anonymous: { type: 'boolean', special: 'cast-boolean' },
    created_at: { type: 'timestamp', special: 'date-created' },
    likes: { type: 'integer', default: 0 },
    dislikes: { type: 'integer', default: 0 },
    bytes: { type: 'integer' },
    page_count: { type: 'integer', isOptional: true },
    author: link,
    file: link,
  },
  ratings: {
    id: key,
    user: { type: 'uuid', special: 'user-created' },
    note: { ...link, isOptional: false },
    liked: { type: 'boolean', special: 'cast-boolean' },
    created_at: { type: 'timestamp', special: 'date-created' },
  },
}
const relations = [
  ['notes', 'author', 'directus_users'],
  ['notes', 'file', 'directus_files'],
  ['ratings', 'user', 'directus_users'],
  ['ratings', 'note', 'notes'],
] as const
/** Whole collections: rules on rows and fields are for instances that have a licence. */
const mayDo = {
  notes: ['read', 'create'],
  ratings: ['read', 'create', 'delete'],
  directus_files: ['read', 'create'],
  directus_users: ['read'],
}

/** Has Directus make the tables that the library goes into. @returns the role that students have. */
export async function defineCollections(post: Post): Promise<string> {
  for (const [collection, columns] of Object.entries(collections)) {
    const fields = Object.entries(columns).map(([field, column]) => ({
      field,
      type: column.type,
      schema: {
        is_primary_key: column.isKey ?? false,
        is_nullable: column.isOptional ?? false,
        default_value: column.default,
      },
      meta: { special: column.special ? [column.special] : null },
    }))
    // Without a log of who changed what, which Lectern does not keep of these either.
    await post('/collections', { collection, schema: {}, meta: { accountability: null }, fields })
  }
  for (const [collection, field, related_collection] of relations) {
    await post('/relations', { collection, field, related_collection, schema: { on_delete: 'NO ACTION' } })
  }
  const { id } = await post<{ id: string }>('/roles', { name: 'Student' })
  const permissions = Object.entries(mayDo).flatMap(([collection, actions]) =>
    actions.map((action) => ({ collection, action, fields: ['*'] })),
  )
  const access = { name: 'Student', app_access: false, admin_access: false, permissions, roles: [{ role: id }] }
  await post('/policies', access)
  return id
}
