import type { McpPin, McpPins, McpSwitch } from '../core/ports/mcpPins'

/** Accepted definitions and switches of one run: nothing is remembered, everything is seen for the first time. */
export function makeTemporaryPins(): McpPins {
  let pins: readonly McpPin[] = []
  let switches: readonly McpSwitch[] = []
  const isSame = (one: McpPin, other: McpPin): boolean => one.server === other.server && one.subject === other.subject && (one.subject !== 'tool' || other.subject !== 'tool' || one.tool === other.tool)
  const renamed = <One extends { readonly server: string }>(one: One, from: string, to: string): One => (one.server === from ? { ...one, server: to } : one)
  return {
    pins: () => Promise.resolve(pins),
    pin(added) {
      pins = [...pins.filter((pin) => !added.some((one) => isSame(pin, one))), ...added]
      return Promise.resolve()
    },
    unpin(server, tool) {
      pins = pins.filter((pin) => pin.server !== server || (tool === null ? pin.subject !== 'start' : pin.subject !== 'tool' || pin.tool !== tool))
      return Promise.resolve()
    },
    switches: () => Promise.resolve(switches),
    set(change) {
      switches = [...switches.filter((one) => one.server !== change.server || one.workspaceId !== change.workspaceId || one.tool !== change.tool || one.kind !== change.kind), change]
      return Promise.resolve()
    },
    rename(from, to) {
      pins = pins.map((one) => renamed(one, from, to))
      switches = switches.map((one) => renamed(one, from, to))
      return Promise.resolve()
    },
    forget(server) {
      pins = pins.filter((one) => one.server !== server)
      switches = switches.filter((one) => one.server !== server)
      return Promise.resolve()
    },
  }
}
