/**
 * The modules that the pages people arrive at begin with, by address; routes.tsx loads the same ones lazily. Read by
 * the build alone, which has the browser fetch them early. A page that is missing here only comes a little later.
 */
export const firstParts: Record<string, string[]> = {
  '/': ['home/HomePage.tsx'],
  '/login': ['accounts/LoginPage.tsx'],
  '/register': ['accounts/RegisterPage.tsx'],
  '/verify': ['accounts/VerifyPage.tsx'],
  '/reset-password': ['accounts/ResetPasswordPage.tsx'],
  '/browse': ['notes/list/BrowsePage.tsx', 'api/WithQueries.tsx'],
  '/liked-notes': ['notes/list/LikedNotesPage.tsx', 'api/WithQueries.tsx'],
  '/my-notes': ['notes/list/MyNotesPage.tsx', 'api/WithQueries.tsx'],
  '/upload': ['upload/UploadPage.tsx', 'api/WithQueries.tsx'],
  '/profile': ['profile/ProfilePage.tsx', 'api/WithQueries.tsx'],
}
