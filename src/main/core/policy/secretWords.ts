import { oneOf } from './shell/alternatives'

/** What a value follows, and how plain it may look to be one: people choose words as passwords, nobody as tokens. */
interface SecretLabel {
  readonly pattern: RegExp
  /** Letters alone are a value from this length on. */
  readonly fewestLetters: number
}

const about = '(?:[ \\t]+(?:for|of|on|to|at|in)[ \\t]+[\\w.@/-]{1,40}(?:[ \\t]+(?!is\\b|was\\b)[\\w.@/-]{1,40}){0,3}?)?'
const says = '[ \\t]{0,4}(?:[:：=＝]|\\b(?:is|was)(?:[ \\t]+now)?[ \\t]*[:：]?)[ \\t]{0,4}'
const value = '(?:["“‘「『`][ \\t]*)?([^\\s"“”‘’「」『』`，。；、！？,;]{3,200})'

const labels: readonly SecretLabel[] = [
  { pattern: new RegExp(`\\b(?:pass[ _-]?(?:word|wd|phrase|code)|pwd|pin(?:[ _-]?(?:code|number))?)${about}${says}${value}`, 'giu'), fewestLetters: 6 },
  { pattern: new RegExp(`\\b(?:token|secret|(?:api|access|private|secret|master|license|recovery|backup)[ _-]?(?:key|code)|credentials?)${about}${says}${value}`, 'giu'), fewestLetters: 16 },
  { pattern: new RegExp(`(?:密码|口令|密匙|通行码|PIN ?码|暗号)[ \\t]{0,4}(?:[：:=＝]|是|为)[ \\t]{0,4}${value}`, 'giu'), fewestLetters: 6 },
  { pattern: new RegExp(`(?:密钥|令牌|私钥|授权码|凭证|凭据|恢复码)[ \\t]{0,4}(?:[：:=＝]|是|为)[ \\t]{0,4}${value}`, 'giu'), fewestLetters: 16 },
]

/** Without a word between: `wifi pin 1234`, `the wifi password hunter22`. */
const bareNumber = /\b(?<!gpio[ _-])(?:pin(?:[ _-]?(?:code|number))?|passcode)[ \t]{1,4}\d{4,8}(?![\w.-])/iu
const bareWord = /\b(?:password|passwd|passphrase|passcode|pwd)[ \t]{1,4}(?=[^\s]{0,40}\d)(?=[^\s]{0,40}[A-Za-z])([^\s"'`，。；,;]{6,200})/giu
/** Words that only a person thinks of: `口令：芝麻开门`. */
const chinesePhrase = /(?:密码|口令|暗号)[ \t]{0,4}[：:][ \t]{0,4}["“‘「『]?(\p{Script=Han}{3,12})(?=["”’」』。，；！\s]|$)/gu
const chineseProse = /[存放在由用见请不没无需要已从写记保同找问必应可未至每定的和或与及位月年换]/u
const phrase = /\bpass[ _-]?phrase[ \t]{0,4}(?:[:：=]|\bis\b)[ \t]{0,4}((?:[a-z]{3,20}[ \t]){3,8}[a-z]{3,20})\b/giu
const prose = /\b(?:the|and|with|for|from|kept|stored|must|should|not|never|has|have|have|are|was|that|you|your|our|every|each|only|when)\b/iu

/** Words that may stand there and are no secret: where it is kept, what it is like, what it is made with. */
const noValues = oneOf(
  String.raw`
    in on at the a an not no never always only from by to of with for and or as per via same different what which where when who how why that this there here it its his her their your my our
    wrong correct right empty blank missing unset unknown public secret private hidden strong weak short long safe secure insecure plain valid invalid fine good bad default local global unique
    none null true false yes up gone lost back ok okay still also now here below above inside outside required optional
    vault keychain keyring keepass keepassxc bitwarden lastpass dashlane 1password env environment secrets settings config configuration mandatory unchanged whatever something
    bearer basic jwt rsa dsa ecdsa ed25519 bcrypt scrypt argon2 argon2id md5 sha1 sha256 sha512 sha-256 sha-512 hs256 rs256 es256 aes128 aes256 aes-256 aes-256-gcm base64 oauth2 oauth2.0 saml2 x509 x.509 utf8 utf-8
    2fa mfa totp u2f fido2 webauthn pkcs8 pkcs12 rsa2048 rsa4096 rsa-2048 rsa-4096 k8s
  `,
  'iu',
)
const likeAnAdjective = /(?:ed|ing|able|ible|ory|ary|ive|al|ous|ful|less|ic|ly|ent|ant|ment|ion|where|thing|body|self)$/iu
const placeholder = /^(?:\$|<|\{|%|@|\*{2,}|x{3,}$|\.{2,}|…|\[redacted|process\.env|secrets?\.|config\.|env\.|os\.)/iu
const isCount = /^\d{1,6}$/u
/** What makes a number, or a name, one of things and not a secret: `12 characters`, `至少 8 位`, `1Password 里`. */
const unit = /^[ \t]{0,4}(?:characters?|chars?|letters?|digits?|bits?|bytes?|words?|days?|hours?|minutes?|months?|weeks?|years?|times|tokens?|managed|based|encoded|encrypted|format|type|个|位|天|小时|分钟|年|月|次|字|类型|格式|算法|里|中|管理|编码|加密|生成|的)/iu

/**
 * Whether a text says a password, PIN or key in words, as people do: `the root password is correcthorsebattery`. Beside `redact`,
 * for what is to be remembered: a guess that asks for a label, a word that joins, and a value that looks like one; where a secret
 * is kept, how long it is or how it is made is none. Linear.
 */
export function saysSecret(text: string): boolean {
  if (bareNumber.test(text)) return true
  if (labels.some((label) => [...text.matchAll(label.pattern)].some((match) => looksLikeOne(match, text, label.fewestLetters)))) return true
  if ([...text.matchAll(bareWord)].some((match) => looksLikeOne(match, text, Infinity))) return true
  if ([...text.matchAll(phrase)].some(([, words = '']) => !prose.test(words))) return true
  return [...text.matchAll(chinesePhrase)].some(([, words = '']) => !chineseProse.test(words))
}

function looksLikeOne(match: RegExpMatchArray, text: string, fewestLetters: number): boolean {
  const [whole, found = ''] = match
  // What stands behind Latin letters in Chinese belongs to the sentence, and so do its stops.
  const plain = (/^[!-~]+/u.exec(found)?.[0] ?? '').replace(/[.:!?)'*_]+$/u, '').replace(/^['(*_]+/u, '')
  if (plain.length < 3 || noValues.test(plain) || placeholder.test(plain)) return false
  const rest = text.slice((match.index ?? 0) + whole.length - found.length + found.indexOf(plain) + plain.length)
  if (unit.test(rest)) return false
  if (/^[A-Za-z]+$/u.test(plain)) return plain.length >= fewestLetters && !likeAnAdjective.test(plain) && isLast(rest)
  if (/^[A-Za-z]+(?:[-/][A-Za-z]+)*$/u.test(plain)) return fewestLetters < 10 && /-.*-/u.test(plain) && isLast(rest) && !likeAnAdjective.test(plain)
  if (isCount.test(plain)) return fewestLetters < 10 && plain.length >= 4
  if (/^(?:https?:\/\/|[~./]|[\w.-]+\/[\w./-]+$)/iu.test(plain)) return false
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/u.test(plain)) return false
  return /\d/u.test(plain) ? plain.length >= 4 : /[!@#$%^&*+=~?|]/u.test(plain) && plain.length >= 6
}

/** The end of the text, or of its sentence. */
function isLast(rest: string): boolean {
  return /^["”’」』`'*_)]*(?:[.!?;,。！？；，]|\s*$|\s*\n|\s+(?:and|but|for)\b)/u.test(rest)
}
