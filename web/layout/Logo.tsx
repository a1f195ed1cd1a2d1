/** The mark: an open book on the stand of a lectern, one page marked with the highlighter. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 10.2C12.6 6.6 8.2 5.4 3 5.6v12.2c5.2-.2 9.6 1 13 4.6Z" fill="currentColor" />
      <path d="M16 10.2c3.4-3.6 7.8-4.8 13-4.6v12.2c-5.2-.2-9.6 1-13 4.6Z" fill="var(--marigold)" />
      <path d="M16 22v6M9.5 29h13" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  )
}
