// Runs before the first paint, so that a chosen theme does not flash, nor the landing page for users who are signed in.
try {
  const theme = localStorage.getItem('lectern-theme')
  // Written by signed-in-hint.ts.
  if (localStorage.getItem('lectern-signed-in') !== null) document.documentElement.dataset.signedIn = ''
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // No storage: the system's theme holds.
}
