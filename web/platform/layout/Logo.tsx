/** The logo: an open book on a lectern with one highlighted page. */
export const Logo = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <path d="M15.3 6.6C12 4.2 7.8 3.4 3 4v13.4c4.8-.6 9 .2 12.3 2.6Z" fill="currentColor" />
    <path d="M16.7 6.6C20 4.2 24.2 3.4 29 4v13.4c-4.8-.6-9 .2-12.3 2.6Z" fill="var(--marigold)" />
    <path d="M4 22.6h24" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    <path d="M13.6 22.6h4.8l1.1 6h3v1.9h-13v-1.9h3Z" fill="currentColor" />
  </svg>
)
