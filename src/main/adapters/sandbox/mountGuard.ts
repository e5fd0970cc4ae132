/** Places that are mounted onto themselves, each with the mount that it is a part of. */
export type ExpectedMounts = readonly { readonly place: string; readonly base: string }[]

/**
 * The first program inside. Between our look at a project and the mounting, another command could have put a link in the place
 * of a folder, and something outside would have been mounted: so it is compared, in the kernel's list, where each mount comes
 * from. Bash alone, since nothing else is sure to be there.
 *
 * Arguments: the number of places; for each the base's mount point, the place, and its path below the base, written as the kernel
 * writes them; then what is to be run.
 */
const script = [
  'declare -A from',
  'while read -r _ _ _ root point _; do from[$point]=$root; done </proc/self/mountinfo',
  'count=$1; shift',
  'for ((; count > 0; count--)); do',
  '  base=${from[$1]-?}; [ "$base" = / ] && base=',
  '  if [ "${from[$2]-?}" != "$base$3" ]; then',
  `    printf '%s\\n' 'The project changed while the sandbox was made ready. Nothing was run.' >&2`,
  '    exit 126',
  '  fi',
  '  shift 3',
  'done',
  'unset from root point count base',
  'exec "$@"',
].join('\n')

/** Arguments that run what follows them when every mount is what it should be, and nothing otherwise. */
export function guardArguments(bash: string, expected: ExpectedMounts): readonly string[] {
  const places = expected.flatMap(({ place, base }) => [asKernel(base), asKernel(place), asKernel(place.slice(base.length))])
  return [bash, '--noprofile', '--norc', '-c', script, 'sandbox', String(expected.length), ...places]
}

/** As /proc/self/mountinfo writes a path. */
function asKernel(place: string): string {
  return place.replace(/[ \t\n\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
