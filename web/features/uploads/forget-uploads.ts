/** Deletes what this device keeps for the user's next upload. Without its script this happens after a week. */
export const forgetUploads = (userId: string): Promise<unknown> =>
  import('./kept-uploads.ts').then(({ deleteKept }) => deleteKept(userId)).catch(() => {})
