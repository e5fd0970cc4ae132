import type { SecretPattern } from './redactionPatterns'
import { oneOf } from './shell/alternatives'

/** How a name that holds a secret ends: `MY_SERVICE_TOKEN`, `DbPassword`, `client_secret`. */
const secretWord =
  '(?:pass(?:word|wd|phrase|code)|pwd|secret(?:[_-]?(?:access[_-]?)?key(?:[_-]?base)?)?|token|(?:api|access|private|encryption|signing|account|master|license|subscription|auth|session|shared[_-]?access|storage|app|deploy|service)[_-]?key|apikey|credentials?|_auth|authtoken|connection[_-]?string[_-]?password)'
const flagStart = '[A-Za-z0-9_.-]{0,64}?'
const nameStart = '(?<![A-Za-z0-9])[A-Za-z0-9_.-]{0,64}?'

/** Names that end so and hold no secret. */
export const plainNames = /^(?:pwd|oldpwd|.*(?:page|next|prev|previous|continuation|cursor|sync|max|min|num|total|per|cache|csrf[_-]?header|sort|partition|primary|foreign|public|stop|eos|bos|pad|unk|sep|cls|mask|special|start|end|first|last|each|any|no|this)[_-]?(?:token|key))$/iu

/** Values that stand for a secret instead of being one: templates, references, words of code and forms. */
const standsIn =
  /^(?:\$|<|\{\{|%[({s]|#\{|@|\*{2,}|x{3,}$|\.{2,}|\[redacted|your[_-]|my[_-]|example|changeme$|todo$|process\.env|import\.meta|os\.|env\b|getenv|secrets?\.|config\.|settings\.|self\.|this\.|vars?\.|args?\.|options?\.|req\.|ctx\.|:\w+$|\?$)/iu
const codeWords =
  oneOf(String.raw`
    true false null none nil undefined void string str text number int integer bool boolean bytes any unknown never object required optional yes no on off
    input prompt hidden password passwd passphrase pass pwd secret token key value name username user email admin login default empty missing invalid
    wrong expired incorrect not and or must should is are was for the a an to in of with from type new old current confirm confirmation forgotten forgot
    reset char varchar text
  `, 'iu')

/** How a value was written, which decides what may be taken for a secret. */
export interface FoundValue {
  readonly value: string
  readonly isQuoted: boolean
  /** `name: value` rather than `name=value`. */
  readonly isColon: boolean
  /** Blanks around `=`, as in code. */
  readonly isSpaced: boolean
}

/** True when the value may be a secret rather than a word, a reference, or nothing. */
export function isSecretValue({ value, isQuoted, isColon, isSpaced }: FoundValue): boolean {
  if (value.length < 3 || standsIn.test(value) || codeWords.test(value)) return false
  const hasDigit = /\d/u.test(value)
  if (isQuoted) return hasDigit || !/\s/u.test(value.trim())
  if (/[([{]$|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|^[A-Za-z_$][\w$.]*[([]/u.test(value)) return false
  if (isColon) return hasDigit || /[^A-Za-z]/u.test(value.slice(0, -1)) || /[a-z][A-Z]|[A-Z]{2,}[a-z]/u.test(value)
  return !isSpaced || hasDigit || /[^\w.]/u.test(value)
}

const quoted = '(\\\\?["\'`])((?:\\\\.|(?!\\2)[^\\\\\\r\\n]){1,4096}?)\\2'
const bare = '([^\\s"\'`,;&|<>(){}\\[\\]]{1,4096})'

/** `name = value` and `name: value`, with and without quotes, also as JSON, YAML, XML attributes and shell exports. */
export const namedValue = new RegExp(`(${nameStart}${secretWord})(?![A-Za-z0-9_-])\\\\?["'\`]?\\]?([ \\t]{0,8})(=>|:=|=|:)([ \\t]{0,8})(?:${quoted.replaceAll('\\2', '\\5')}|${bare})`, 'giu')

/** `<password>value</password>`. */
export const namedElement = new RegExp(`<(${nameStart}${secretWord})(?:\\s[^<>]{0,200})?>([^<>\\s]{3,4096})</`, 'giu')

/** `key="DbPassword" value="…"`. */
export const namedAttribute = new RegExp(`(?:key|name|id)[ \\t]{0,4}=[ \\t]{0,4}["'](${nameStart}${secretWord})["'][ \\t]{1,8}(?:[A-Za-z-]{1,20}[ \\t]{0,4}=[ \\t]{0,4}["'](?!\\s)[^"'<>]{0,40}["'][ \\t]{1,8}){0,2}value[ \\t]{0,4}=[ \\t]{0,4}["']([^"'<>]{1,4096})["']`, 'giu')

/** `--password value`, `--api-key=value`. */
export const namedFlag = new RegExp(`(?<![A-Za-z0-9-])--?(${flagStart}${secretWord})(?:=|[ \\t]{1,4})(?:${quoted}|${bare})`, 'giu')

/** Chinese labels: `密码：value`, `访问令牌是 value`. The value must be written in Latin letters, digits or signs. */
export const chineseLabel = /(密码|口令|密钥|令牌|私钥|授权码|密匙|凭证|凭据)[ \t]{0,4}(?:[：:=＝]|是|为)[ \t]{0,4}["'“‘「『]?([!-&(-~]{4,512})/gu

/** Secrets in the words of particular programs. Group 1 is the secret. */
export const commandSecrets: readonly SecretPattern[] = [
  { kind: 'password', hint: '-p', pattern: /(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mysqlsh)\b[^\n|;]{0,200}?\s-p([^\s"'][^\s]{0,255}|"[^"\n]{1,255}"|'[^'\n]{1,255}')/gu },
  { kind: 'password', hint: 'sshpass', pattern: /sshpass[ \t]{1,4}(?:-v[ \t]{1,4})?-p[ \t]{0,4}("[^"\n]{1,255}"|'[^'\n]{1,255}'|[^\s"']{1,255})/gu },
  { kind: 'password', hint: '-p', pattern: /(?:docker|podman|helm|oras|az|nerdctl)[ \t]{1,4}(?:registry[ \t]{1,4})?login\b[^\n|;]{0,200}?\s-p[ \t]{1,4}("[^"\n]{1,255}"|'[^'\n]{1,255}'|[^\s"']{1,255})/gu },
  { kind: 'password', hint: '-a', pattern: /redis-cli\b[^\n|;]{0,200}?\s-a[ \t]{1,4}("[^"\n]{1,255}"|'[^'\n]{1,255}'|[^\s"']{1,255})/gu },
  { kind: 'password', hint: 'zip', pattern: /(?:zip|unzip)\b[^\n|;]{0,100}?\s-P[ \t]{1,4}("[^"\n]{1,255}"|'[^'\n]{1,255}'|[^\s"']{1,255})/gu },
  { kind: 'password', hint: '7z', pattern: /\b7za?\b[^\n|;]{0,200}?\s-p([^\s]{1,255})/gu },
  { kind: 'password', hint: 'pass:', pattern: /-pass(?:in|out)?[ \t]{1,4}["']?pass:([^\s"']{1,255})/gu },
  { kind: 'password', hint: 'htpasswd', pattern: /htpasswd[ \t]{1,4}(?:-[A-Za-z]{1,6}[ \t]{1,4}){1,4}(?:[^\s]{1,200}[ \t]{1,4}){1,2}([^\s]{3,255})/gu },
  { kind: 'password', hint: '-u', pattern: /\s-u[ \t]{0,4}["']?[^\s:"'/@=]{1,128}:([^\s"'@]{3,255})/gu },
  { kind: 'password', hint: '--user', pattern: /--(?:proxy-)?user(?:=|[ \t]{1,4})["']?[^\s:"'/@]{1,128}:([^\s"'@]{3,255})/gu },
  { kind: 'password', hint: '-U', pattern: /\s-U[ \t]{0,4}["']?[^\s%:"']{1,128}[%:]([^\s"']{3,255})/gu },
  { kind: 'password', hint: '-w', pattern: /ldap(?:search|modify|add|delete|whoami)\b[^\n|;]{0,300}?\s-w[ \t]{1,4}([^\s"']{1,255})/gu },
]

/** Headers whose value is a secret. Group 1 is the secret. */
export const headerSecrets: readonly SecretPattern[] = [
  { kind: 'authorization', hint: 'uthorization', pattern: /authorization\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?(?:bearer|basic|token|digest|apikey|negotiate|ntlm|aws4-hmac-sha256|hawk|key|ghs|oauth)[ \t]{1,4}\\?["'`]?([^\s"'`\\]{4,8192}(?:,?[ \t][a-z]+="?[^\s"',]{1,512}"?){0,12})/giu },
  { kind: 'authorization', hint: 'uthorization', pattern: /authorization\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?((?=[^\s"'`\\]{0,80}\d)[^\s"'`\\]{8,8192})/giu },
  { kind: 'bearer', hint: 'earer', pattern: /\bbearer[ \t]{1,4}\\?["'`]?((?=[A-Za-z_.~+/-]{0,120}\d)[A-Za-z0-9_.~+/=-]{16,8192})/giu },
  { kind: 'key', hint: '-', pattern: /\bx-(?:[a-z-]{0,30}?)(?:key|token|secret|signature|auth)\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?([^\s"'`\\,;&]{6,4096})/giu },
  { kind: 'key', hint: '-', pattern: /\b(?:private-token|job-token|deploy-token|ocp-apim-subscription-key|dd-api-key|dd-application-key|circle-token|api-key)\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?([^\s"'`\\,;]{6,4096})/giu },
]

/** Parameters of addresses that are secrets. Group 1 is the secret. */
export const querySecret =
  /(?:[?&#]|;(?=jsessionid))(?:access[_-]?token|id[_-]?token|refresh[_-]?token|auth[_-]?token|oauth[_-]?token|private[_-]?token|session[_-]?token|token|api[_-]?key|apikey|app[_-]?key|access[_-]?key|subscription-key|client[_-]?secret|secret|secret[_-]?key|password|passwd|pwd|passphrase|sig|signature|x-amz-signature|x-amz-security-token|x-amz-credential|x-goog-signature|x-goog-credential|hmac|jwt|sas|sid|session[_-]?id|sessionid|phpsessid|jsessionid|ticket|assertion|code_verifier)=([^\s&;"'`<>#)\]}\\]{3,8192})/giu

/** The same for `key`, which often is none: only long values with a digit. */
export const queryKey = /[?&]key=((?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{20,256})/giu

/** `scheme://user:password@host`; the user and the host stay. Group 1 is the password. */
export const urlPassword = /\b[A-Za-z][A-Za-z0-9+.-]{1,24}:\/\/[^\s/?#:@"'`<>\\]{0,256}:([^\s/?#"'`<>\\]{1,512})@(?=[^\s@"'`<>]{1,256})/gu

/** `scheme://token@host`: a user part that is long and mixed is a token. */
export const urlToken = /\b[A-Za-z][A-Za-z0-9+.-]{1,24}:\/\/((?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{20,255})@(?=[^\s@]{1,256})/gu

/** A whole line of cookies; each value that is long enough is a secret, attributes stay. */
export const cookieLine = /\b(?:set-)?cookie\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?([^\r\n"'`]{3,8192})/giu
