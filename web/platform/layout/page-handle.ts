/** What a page tells the layout through the route's `handle`. Functions are called only with data of its loader. */
export interface PageHandle<Loaded = never> {
  /** The window's title, without the product's name. */
  title?: string | ((loaded: Loaded) => string)
  /** Whether the page is shown without navigation bar and footer. */
  isFullScreen?: (loaded: Loaded) => boolean
}

/** Sets the window's title: `Browse Notes · Lectern`. */
export function setPageTitle(title: string | undefined): void {
  document.title = title ? `${title} · Lectern` : 'Lectern'
}
