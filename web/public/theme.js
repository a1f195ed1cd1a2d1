// Runs before the first paint, so that a chosen theme does not flash. Without a choice the system's theme holds.
try {
  const theme = localStorage.getItem('lectern-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // No storage: the system's theme holds.
}
