/**
 * What a page of ours may load and run: its own files and nothing else. Inline styles stay allowed, since the editor makes
 * them; scripts never.
 */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  // Sounds of a tool's result; like pictures they are put into the page, never fetched.
  "media-src data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

/** The same for `npm run dev`, where vite puts an inline script into the page and talks over a socket. Never used in a package. */
export const developmentPolicy = contentPolicy
  .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
  .replace("connect-src 'self'", "connect-src 'self' ws://localhost:* ws://127.0.0.1:*")
