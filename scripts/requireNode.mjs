// Loaded before everything else: the other modules need what older Nodes do not have.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
if (!isSupported) {
  console.error(`[countersign] Node ${process.versions.node} does not fit: install Node 20.19 or later, or 22.12 or later (https://nodejs.org)`)
  process.exit(1)
}
