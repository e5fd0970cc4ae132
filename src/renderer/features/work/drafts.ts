const key = (sessionId: string): string => `draft:${sessionId}`

/** What was typed and not sent, kept over a reload of the window (R109). A browser without storage keeps it for this window only. */
export const drafts = {
  read(sessionId: string): string {
    return localStorage.getItem(key(sessionId)) ?? ''
  },
  write(sessionId: string, text: string): void {
    if (text === '') localStorage.removeItem(key(sessionId))
    else localStorage.setItem(key(sessionId), text)
  },
}
