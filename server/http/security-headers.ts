/** For every answer of ours: pages run our own files only, and show PDFs and previews from blobs they made. */
export const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    // Positioned menus and dialogs set their place in style attributes.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    // A note is opened as a blob, which inherits this policy.
    objectSrc: ["'self'", 'blob:'],
    frameSrc: ["'self'", 'blob:'],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
}
