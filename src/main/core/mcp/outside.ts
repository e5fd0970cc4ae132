/** The mark around text from outside, so that the model can tell it from the words of the user and of the app. */
const mark = 'outside-data'

/**
 * Text from a server as the model reads it: between two lines that say where it came from. Nothing in the text can end the
 * frame or begin another one: its own marks are broken. Framing does not make text harmless; what it asks for is judged by
 * the guards like everything else.
 */
export function frameOutside(text: string, server: string): string {
  return `<${mark} from="MCP server ${server.replace(/["<>\s]+/gu, ' ')}">\n${text.replace(new RegExp(`<(?=\\s*/?\\s*${mark})`, 'giu'), '&lt;')}\n</${mark}>`
}
