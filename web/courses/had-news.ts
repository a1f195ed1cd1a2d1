const storageKey = 'lectern-course-news'

/**
 * Whether there was something new in followed courses when this browser last knew. It only holds a place for the shelf,
 * so that nothing moves when it comes.
 */
export function hadNews(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}

export function keepHadNews(hasNews: boolean): void {
  try {
    if (hasNews) localStorage.setItem(storageKey, 'yes')
    else localStorage.removeItem(storageKey)
  } catch {
    // Storage is switched off: the shelf comes when it comes.
  }
}
