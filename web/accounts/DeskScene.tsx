export function DeskScene() {
  return <svg className="desk-scene" viewBox="0 0 480 460" aria-hidden="true" />
}
