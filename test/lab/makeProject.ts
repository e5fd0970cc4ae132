import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = (seed >>> 0) || 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const words = 'const let function return import export class interface type async await for if else throw new value index result buffer stream path file user session token snapshot approve 快照 回滚 审批 记忆 会话 项目 文件'.split(' ')
const endings = ['ts', 'tsx', 'js', 'json', 'md', 'css', 'py', 'html']

/**
 * Fills a folder with a project made from a seed: the same arguments give the same bytes. About ten files a folder, up to
 * eight deep, log-normal sizes of 12,500 bytes on average, three in a hundred of them random bytes. Times lie in the past.
 *
 * @returns the files, relative to the folder.
 */
export function makeProject(folder: string, files: number, seed = 1): readonly string[] {
  const random = seededRandom(seed)
  const pools = { text: textPool(random), binary: binaryPool(random) }
  const folders = folderTree(random, Math.max(4, Math.ceil(files / 10)))
  for (const one of folders) mkdirSync(join(folder, one), { recursive: true })
  const sizes = Array.from({ length: files }, () => Math.exp(Math.min(3.2, Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()) * 1.3)))
  const scale = (files * 12_500) / sizes.reduce((sum, size) => sum + size, 0)
  const past = new Date('2024-01-01T00:00:00Z')
  return sizes.map((size, index) => {
    const isBinary = random() < 0.03
    const pool = isBinary ? pools.binary : pools.text
    const name = `${folders[Math.floor(random() * folders.length)]}/${isBinary ? `asset${index}.png` : `mod${index}.${endings[index % endings.length]}`}`
    const start = Math.floor(random() * (pool.length - 1))
    const head = Buffer.from(isBinary ? `\0${index}\n` : `// file ${index}\n`)
    const room = Math.max(16, Math.round(size * scale))
    const repeats = Math.ceil(room / (pool.length - start))
    const body = Buffer.concat([head, ...Array.from({ length: repeats }, () => pool.subarray(start))]).subarray(0, head.length + room)
    writeFileSync(join(folder, name), body)
    utimesSync(join(folder, name), past, past)
    return name
  })
}

/** Appends a line to each of some files. */
export function touchFiles(folder: string, files: readonly string[], salt: string): void {
  for (const file of files) appendFileSync(join(folder, file), `\n// edit ${salt}\n`)
}

function folderTree(random: () => number, count: number): readonly string[] {
  const folders = ['src', 'test', 'docs', 'packages']
  while (folders.length < count) {
    const parent = folders[Math.floor(random() * folders.length)] ?? 'src'
    if (parent.split('/').length < 8) folders.push(`${parent}/${words[Math.floor(random() * 26)]}-${folders.length}`)
  }
  return folders
}

function textPool(random: () => number): Buffer {
  let text = ''
  while (text.length < 1 << 20) {
    const line = Array.from({ length: 3 + Math.floor(random() * 9) }, () => words[Math.floor(random() * words.length)] + (random() < 0.2 ? `_${Math.floor(random() * 1e4)}` : ''))
    text += `${' '.repeat(2 * Math.floor(random() * 5))}${line.join(' ')};\n`
  }
  return Buffer.from(text)
}

function binaryPool(random: () => number): Buffer {
  const bytes = Buffer.alloc(1 << 22)
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE((random() * 4294967296) >>> 0, at)
  return bytes
}
