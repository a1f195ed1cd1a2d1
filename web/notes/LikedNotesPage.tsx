/** To be built. */
export function Component() {
  return <h1 className="page page-title">LikedNotesPage</h1>
}
