import type { SecretPattern } from './redactionPatterns'
import { oneOf } from './shell/alternatives'

/** How a name that holds a secret ends: `MY_SERVICE_TOKEN`, `DbPassword`, `client_secret`. */
const secretWord =
  '(?:pass(?:word|wd|phrase|code)|pwd|secret(?:[_-]?(?:access[_-]?)?key(?:[_-]?base)?)?|token|(?:api|access|private|encryption|signing|account|master|license|subscription|auth|session|shared[_-]?access|pre[_-]?shared|storage|app|deploy|service|admin|hmac|secretor)[_-]?key|apikey|credentials?|_auth|authtoken|otp[_-]?seed|(?<![A-Za-z0-9])(?:pass|pw|psk))'
const flagStart = '[A-Za-z0-9_.-]{0,64}?'
const nameStart = '(?<![A-Za-z0-9])[A-Za-z0-9_.-]{0,64}?'

/** Names in snake case that end so hold no secret. */
export const plainNames = /^(?:.*[_.-])?(?:(?:next|prev)?page|next|prev|previous|continuation|cursor|sync|max|min|num|total|per|cache|csrf[_-]?header|sort|partition|primary|foreign|public|stop|eos|bos|pad|unk|sep|cls|mask|special|start|end|first|last|each|any|no|this)[_-]?(?:token|key)$/iu

/** Values that stand for a secret instead of being one: templates, references, addresses without a user, words of code and forms. */
const standsIn =
  /^(?:\$(?![0-9]\w)|<(?:[^<>]*>?)?$|\{\{|%[({s]|#\{|@|!\w+$|\*[A-Za-z]+$|\*{2,}|x{3,}$|x{2,}[x-]*$|\.{2,}|\[redacted|your[_-]|my[_-]|example|changeme$|todo$|process\.env|import\.meta|os\.|env\b|getenv|secrets?\.|config\.|settings\.|self\.|this\.|vars?\.|args?\.|options?\.|req\.|ctx\.|:\w+$|\?$|0x[0-9a-f]{1,8}$|[a-z]+[-@]v?\d+(?:\.\d+){1,3}$|(?:vault|arn|ssm):|[a-z][a-z0-9+.-]*:\/\/(?!\S*@))/iu
const codeWords =
  oneOf(String.raw`
    true false null none nil undefined void string str text number int integer bool boolean bytes any unknown never object required optional yes no on off
    input prompt hidden password passwd passphrase pass pwd secret token key value name username user email admin login default empty missing invalid
    wrong expired incorrect not and or must should is are was for the a an to in of with from type new old current confirm confirmation forgotten forgot
    reset char varchar text same-origin include omit inherit instead argument parameter authentication protected current-password new-password
    passwort kennwort contraseña contrasena contrasenya senha wachtwoord parola parole lösenord losenord adgangskode salasana heslo hasło haslo jelszó şifre sifre пароль パスワード 비밀번호
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
  if (isQuoted) return hasDigit || !/\s|\p{Script=Han}/u.test(value.trim())
  if (isCode(value)) return false
  if (isColon) return hasDigit || /[^A-Za-z]/u.test(value.slice(0, -1)) || (value.length >= 8 && /[a-z][A-Z]|[A-Z]{2,}[a-z]/u.test(value))
  return !isSpaced || hasDigit || /[^\w.]/u.test(value)
}

/** A call, an index, or a property of something, unless a part of it is as long and mixed as only a token is. */
function isCode(value: string): boolean {
  if (/(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{20,}/u.test(value)) return false
  return /[([{]$|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|^[A-Za-z_$][\w$.]*[([]|^[a-z][A-Za-z]*(?:Token|Password|Secret|Key)\d{0,2}$/u.test(value)
}

/** A value that looks like a secret even where no separator stands between it and its name. */
export function isStrong(value: string): boolean {
  if (value.length < 6 || standsIn.test(value) || codeWords.test(value) || isCode(value) || !/\d/u.test(value) || !/[A-Za-z]/u.test(value)) return false
  if (/^(?:[~./]|\w:[\\/])|[([{<=]/u.test(value)) return false
  return (/[a-z]/u.test(value) && /[A-Z]/u.test(value)) || /[!#$%^&*?+]/u.test(value) || value.length >= 16
}

/** A path behind a name such as `pwd`: a folder, no password. */
export function isFolder(value: string): boolean {
  return /^["']?(?:[/~.$%]|[A-Za-z]:[\\/])/u.test(value) || !/\d|[^\w]/u.test(value)
}

const quoted = '(\\\\?["\'`])((?:\\\\.|(?!\\2)[^\\\\\\r\\n]){1,4096}?)\\2'
const bare = '([^\\s"\'`,;&|<>(){}\\[\\]]{1,4096})'

/** `name = value` and `name: value`, with and without quotes, also as JSON, YAML, XML attributes and shell exports. */
export const namedValue = new RegExp(`(${nameStart}${secretWord})(?![A-Za-z0-9_-])\\\\?["'\`]?\\]?([ \\t]{0,8})(=>|:=|=|:)([ \\t]{0,8})(?:${quoted.replaceAll('\\2', '\\5')}|${bare})`, 'giu')

/** The same alone on its line: whatever stands there up to its end belongs to the value. */
export const namedLine = new RegExp(`^[ \\t+-]{0,40}(?:export[ \\t]{1,4}|set[ \\t]{1,4}|ENV[ \\t]{1,4}|ARG[ \\t]{1,4})?["']?(${nameStart}${secretWord})["']?[ \\t]{0,8}[:=][ \\t]{0,8}([^\\s"'\`]{6,4096})[ \\t]{0,8}$`, 'gimu')

/** `define('DB_PASSWORD', 'value')`, `getenv("API_KEY", "value")`. */
export const namedArgument = new RegExp(`["'](${nameStart}${secretWord})["'][ \\t]{0,4},[ \\t]{0,4}["']([^"'\\r\\n]{6,4096})["']`, 'giu')

/** `process.env.API_KEY || "value"`. */
export const namedFallback = new RegExp(`(${nameStart}${secretWord})(?![A-Za-z0-9_-])["'\\]]{0,2}[ \\t]{0,4}(?:\\|\\||\\?\\?)[ \\t]{0,4}["'\`]([^"'\`\\r\\n]{3,4096})["'\`]`, 'giu')

/** `withPassword("value")`. */
export const namedSetter = new RegExp(`(?<![A-Za-z0-9])((?:set|with)[A-Za-z_]{0,40}?${secretWord})\\([ \\t]{0,4}["'\`]([^"'\`\\r\\n]{3,4096})["'\`][ \\t]{0,4}\\)`, 'giu')

/** `<password>value</password>`. */
export const namedElement = new RegExp(`<(${nameStart}${secretWord})(?:\\s[^<>]{0,200})?>([^<>\\s]{3,4096})</`, 'giu')

/** `key="DbPassword" value="…"`. */
export const namedAttribute = new RegExp(`(?:key|name|id)[ \\t]{0,4}=[ \\t]{0,4}["'](${nameStart}${secretWord})["'][ \\t]{1,8}(?:[A-Za-z-]{1,20}[ \\t]{0,4}=[ \\t]{0,4}["'](?!\\s)[^"'<>]{0,40}["'][ \\t]{1,8}){0,2}value[ \\t]{0,4}=[ \\t]{0,4}["']([^"'<>]{1,4096})["']`, 'giu')

/** `{"name": "DB_PASSWORD", "value": "…"}`, also as YAML over two lines. */
export const namedEntry = new RegExp(`(?:name|key)["']?[ \\t]{0,4}[:=][ \\t]{0,4}["']?(${nameStart}${secretWord})["']?[ \\t]{0,4}(?:,\\s{0,60}|\\s{1,60})["']?value["']?[ \\t]{0,4}[:=][ \\t]{0,4}["']?([^\\s"',}]{3,4096})`, 'giu')

/** `--password value`, `--api-key=value`. */
export const namedFlag = new RegExp(`(?<![A-Za-z0-9-])--?(${flagStart}${secretWord})(?:=|[ \\t]{1,4}|["'],\\s{0,20}(?=["']))(?:${quoted}|${bare})`, 'giu')

/** `--pass value`, `--auth value`: names too short to be taken for a secret's anywhere else. */
export const shortFlag = /(?<![A-Za-z0-9-])--(?:[A-Za-z0-9]{1,20}-)?(?:pwd|auth|bearer)(?:=|[ \t]{1,4})["']?([^\s"'`,;&|<>]{6,4096})/giu

/** A row of a table: `| password | value |`. */
export const tableRow = new RegExp(`\\|[ \\t]{0,40}[*\`]{0,2}(?:${nameStart}${secretWord}|密码|密碼|口令|密钥|令牌)[*\`]{0,2}[ \\t]{0,40}\\|[ \\t]{0,40}[*\`]{0,2}([^\\s|\`]{6,512})`, 'giu')

/** `The password is value`. */
export const saidValue = /\b(?:password|passwd|passphrase|passcode|(?:api|access|secret|private)[ _-]?key|token|secret)[ \t]{1,4}(?:is|was)(?:[ \t]now)?[ \t]{0,4}[:：]?[ \t]{1,4}["'`]?([^\s"'`,;]{6,512})/giu

const chineseName = '(?:密码|密碼|口令|密钥|密鑰|秘钥|金鑰|令牌|權杖|私钥|授权码|密匙|凭证|憑證|凭据|通行码)'

/** Chinese labels: `密码：value`, `访问令牌是 value`. The value must be written in Latin letters, digits or signs. */
export const chineseLabel = new RegExp(
  `${chineseName}(?:[（(][^）)\\n]{0,20}[）)])?["”’'」』*\`]{0,3}[ \\t]{0,4}(?:(?:就?是|为|為|如下|[改设設](?:置)?[为為成]了?|(?:更新|重置|变更)[为為])[ \\t]{0,4}[：:]?|[：:=＝])[ \\t]{0,4}["'“‘「『\`*]{0,2}([!-&(-~]{4,512})`,
  'gu',
)

/** The same without a word between: only for what looks like a secret on its own. */
export const chineseBare = new RegExp(`${chineseName}[ \\t]{0,4}([!-&(-~]{6,512})`, 'gu')

/** Headers whose value is a secret. Group 1 is the secret. */
export const headerSecrets: readonly SecretPattern[] = [
  { kind: 'authorization', hint: 'uthorization', pattern: /authorization\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?(?:bearer|basic|token|digest|apikey|negotiate|ntlm|aws4-hmac-sha256|hawk|key|ghs|oauth)[ \t]{1,4}\\?["'`]?([^\s"'`\\]{4,8192}(?:,?[ \t][a-z]+="?[^\s"',]{1,512}"?){0,12})/giu },
  { kind: 'authorization', hint: 'uthorization', pattern: /authorization\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?((?=[^\s"'`\\]{0,80}\d)[^\s"'`\\]{8,8192})/giu },
  { kind: 'authorization', hint: 'uthorization', pattern: /authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:digest|aws4-hmac-sha256|hawk|oauth)[ \t]{1,4}([^\r\n'`]{4,4096})/giu },
  { kind: 'bearer', hint: 'earer', pattern: /\bbearer[ \t]{1,4}\\?["'`]?((?=[A-Za-z_.~+/-]{0,120}\d)[A-Za-z0-9_.~+/=-]{16,8192})/giu },
  { kind: 'key', hint: 'x-', pattern: /\bx-(?:[a-z-]{0,30}?)(?:key|token|secret|signature|auth)\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?([^\s"'`\\,;&]{6,4096})/giu },
  { kind: 'key', hint: '-token', pattern: /\b(?:private-token|job-token|deploy-token|circle-token)\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?([^\s"'`\\,;]{6,4096})/giu },
  { kind: 'key', hint: '-key', pattern: /\b(?:ocp-apim-subscription-key|dd-api-key|dd-application-key|fastly-key|api-key)\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?([^\s"'`\\,;]{6,4096})/giu },
]

/** Parameters of addresses that are secrets. Group 1 is the secret. */
export const querySecret =
  /(?:[?&#]|%3F|%26|;(?=jsessionid))(?:pass|auth|auth[_-]?key|reset[_-]?token|access[_-]?token|id[_-]?token|refresh[_-]?token|auth[_-]?token|oauth[_-]?token|private[_-]?token|session[_-]?token|token|api[_-]?key|apikey|app[_-]?key|access[_-]?key|subscription-key|client[_-]?secret|secret|secret[_-]?key|password|passwd|pwd|passphrase|sig|signature|x-amz-signature|x-amz-security-token|x-amz-credential|x-goog-signature|x-goog-credential|hmac|jwt|sas|sid|session[_-]?id|sessionid|phpsessid|jsessionid|ticket|assertion|code_verifier)(?:=|%3D)((?:(?!%26)[^\s&;"'`<>#)\]}\\]){3,8192})/giu

/** The same for names that often hold none: only long values with a digit. */
export const queryKey = /[?&](?:key|code|session)=((?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{20,256})/giu

/** `scheme://user:password@host`; the user and the host stay. Group 1 is the password. */
export const urlPassword = /(?<![A-Za-z0-9+.:\\-])(?:[A-Za-z][A-Za-z0-9+.-]{1,24}:(?:\/\/|\\\/\\\/)|\/\/)[^\s/?#:@"'`<>\\]{0,256}:([^\s/?#"'`<>\\]{1,512})@(?=[^\s@"'`<>]{1,256})/gu

/** Databases take passwords with signs that an address should have escaped. */
export const databasePassword = /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|clickhouse)(?:\+\w{1,20})?:\/\/[^\s/?#:@"'`<>\\]{0,256}:([^\s"'`<>\\]{1,256})@(?=[\w.-]{1,256}(?::\d{1,5})?(?:[/?\s"'`,]|$))/gu

/** `user:password@tcp(host)` of Go, `scott/password@host` of Oracle. */
export const driverPassword = /(?:[\w.-]{1,64}:([^\s@"'`]{3,256})@(?:tcp|unix)\(|(?:jdbc:oracle:\w{2,8}:|\bsqlplus[ \t]{1,4}(?:-\w{1,2}[ \t]{1,4})?)[\w$#]{1,64}\/([^\s@"'`/]{3,256})@)/gu

/** `scheme://token@host`: a user part that is long and mixed is a token. */
export const urlToken = /\b[A-Za-z][A-Za-z0-9+.-]{1,24}:\/\/((?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{20,255})(?::[^\s/@]{0,64})?@(?=[^\s@]{1,256})/gu

/** Cookies that a command sends: `curl -b "session=…"`. */
export const cookieFlag = /(?:^|\s)(?:-b|--cookie)(?:=|[ \t]{1,4})["']?([^\s"'=]{1,128}=[^\r\n"']{3,8192})/gu

/** A whole line of cookies; each value that is long enough is a secret, attributes stay. */
export const cookieLine = /\b(?:set-)?cookie\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?([^\r\n"'`]{3,8192})/giu
