/** Names and addresses that never leave the computer. A user name before the host makes it another thing, and so does a dot behind it. */
const here = /^https?:\/\/(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?#]|$)/i

/** Whether what is sent to a web address stays on this computer. What cannot be told apart from another host does not. */
export function isThisMachine(address: string): boolean {
  return here.test(address.trim())
}
