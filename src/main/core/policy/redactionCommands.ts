import type { SecretPattern } from './redactionPatterns'

/** One word of a command, in quotes or bare; a variable is none. */
const word = `("[^"\\n]{1,255}"|'[^'\\n]{1,255}'|[^\\s"'$][^\\s"']{0,255})`
const between = '[^\\n|;]{0,300}?'

/** A secret behind an option of some programs. `gap` is what may stand between the two. */
function option(hint: string, programs: string, flag: string, gap = '[ \\t=]{1,4}'): SecretPattern {
  return { kind: 'password', hint, pattern: new RegExp(`(?<![\\w.-])(?:${programs})(?:\\.exe)?\\b${between}\\s(?:${flag})${gap}${word}`, 'gu') }
}

/** A secret that follows certain words. */
function behind(hint: string, words: string): SecretPattern {
  return { kind: 'password', hint, pattern: new RegExp(`(?<![\\w.-])${words}[ \\t]{1,4}${word}`, 'gu') }
}

const piped = '(?:sudo[ \\t]+(?:-\\w+[ \\t]+)*-S|[^\\n|]{0,200}--(?:password-stdin|with-token|stdin\\b))'
const userPrograms = 'curl|wget|https?|xh|ab|siege|hurl|ffmpeg|jfrog|jf|svn|mosquitto_\\w+|aria2c'

/** Secrets in the words of particular programs. Group 1 is the secret. */
export const commandSecrets: readonly SecretPattern[] = [
  option('-p', 'mysql|mysqldump|mysqladmin|mysqlimport|mysqlpump|mariadb|mariadb-dump|mariadb-admin|mysqlsh|sshpass', '-p', ''),
  { kind: 'password', hint: 'sshpass', pattern: /sshpass[ \t]{1,4}(?:-v[ \t]{1,4})?-p[ \t]{0,4}("[^"\n]{1,255}"|'[^'\n]{1,255}'|[^\s"']{1,255})/gu },
  option('-p', '(?:docker|podman|helm|oras|az|nerdctl|buildah|skopeo)[ \\t]{1,4}(?:registry[ \\t]{1,4})?login', '-p'),
  option('-p', 'twine|cypher-shell|mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|mongostat|ncftpput|ncftpget|evil-winrm|rdesktop|crackmapexec|netexec|security[ \\t]{1,4}(?:unlock|create|set)-keychain', '-p'),
  option('-P', 'sqlcmd|bcp|ssh-keygen|mosquitto_\\w+|zip|unzip|zipcloak', '-P', '[ \\t]{0,4}'),
  option('-N', 'ssh-keygen', '-N'),
  option('-a', 'redis-cli', '-a'),
  option('--pass', 'redis-cli', '--pass'),
  option('-t', 'doctl[ \\t]{1,4}auth[ \\t]{1,4}init', '-t'),
  option('openssl', 'openssl[ \\t]{1,4}enc', '-[kK]'),
  option('-w', 'ldap(?:search|modify|add|delete|whoami|passwd)|security[ \\t]{1,4}add-(?:generic|internet)-password', '-w'),
  option('7z', '7za?|7zz|7zr', '-p', ''),
  option('rar', 'rar|unrar', '-h?p', ''),
  option('pass', 'keytool|jarsigner|apksigner', '-(?:src|dest)?(?:store|key)pass'),
  option('-A', 'snmp\\w+', '-[AX]'),
  option('secret', 'gh[ \\t]{1,4}secret[ \\t]{1,4}set', '(?:-b|--body)'),
  { kind: 'password', hint: 'pass:', pattern: /-pass(?:in|out)?[ \t]{1,4}["']?pass:([^\s"']{1,255})/gu },
  { kind: 'password', hint: 'htpasswd', pattern: /htpasswd[ \t]{1,4}(?:-[A-Za-z]{1,6}[ \t]{1,4}){1,4}(?:[^\s]{1,200}[ \t]{1,4}){1,2}([^\s]{3,255})/gu },
  { kind: 'password', hint: '-u', pattern: new RegExp(`(?<![\\w.-])(?:${userPrograms})\\b${between}\\s-u[ \\t]{0,4}["']?[^\\s:"'/@=]{1,128}:([^\\s"'@]{3,255})`, 'gu') },
  { kind: 'password', hint: '-u', pattern: /\s-u[ \t]{0,4}["']?[^\s:"'/@=]{1,128}:((?=[^\s"'@]{0,80}[A-Z])(?=[^\s"'@]{0,80}[a-z])(?=[^\s"'@]{0,80}\d)[^\s"'@]{8,255})/gu },
  { kind: 'password', hint: 'lftp', pattern: /\blftp\b[^\n|;]{0,200}?\s-u[ \t]{0,4}["']?[^\s,"']{1,128},([^\s"']{3,255})/gu },
  { kind: 'password', hint: 'user', pattern: /--(?:proxy-)?user(?:=|[ \t]{1,4})["']?[^\s:"'/@]{1,128}:((?!\d{1,6}(?:\s|$))[^\s"'@]{3,255})/gu },
  { kind: 'password', hint: 'http', pattern: /(?<![\w.-])(?:https?|xh|xhs)\b[^\n|;]{0,200}?\s(?:-a|--auth)(?:=|[ \t]{1,4})["']?[^\s:"'/@]{1,128}:([^\s"'@]{3,255})/gu },
  { kind: 'password', hint: '-U', pattern: /\s-U[ \t]{0,4}["']?[^\s%:"']{1,128}[%:]([^\s"']{3,255})/gu },
  { kind: 'password', hint: 'net ', pattern: /\bnet[ \t]{1,4}use[ \t]{1,4}(?:\w:[ \t]{1,4})?\\\\[^\s]{1,255}[ \t]{1,4}([^\s/*][^\s]{2,255})/giu },
  { kind: 'password', hint: 'net ', pattern: /\bnet[ \t]{1,4}user[ \t]{1,4}[^\s/]{1,64}[ \t]{1,4}([^\s/*][^\s]{2,255})/giu },
  { kind: 'password', hint: '/p:', pattern: /\b(?:x|w)freerdp\b[^\n|;]{0,200}?\s\/p:([^\s]{3,255})/gu },
  { kind: 'password', hint: '@', pattern: /(?<![\w.-])(?:impacket-\w{2,20}|(?:ps|wmi|smb|at|dcom)exec(?:\.py)?|secretsdump(?:\.py)?)[ \t]{1,4}(?:[\w.-]{1,64}\/)?[\w.$-]{1,64}:([^\s@]{3,255})@/gu },
  { kind: 'password', hint: '|', pattern: new RegExp(`(?<![\\w.-])(?:echo|printf)\\b(?:[ \\t]+-[neE]+)?(?:[ \\t]+["']?%s(?:\\\\n)?["']?)?[ \\t]+${word}[ \\t]{0,4}\\|[ \\t]{0,4}${piped}`, 'gu') },
  { kind: 'password', hint: 'chpasswd', pattern: /\becho[ \t]{1,4}["']?[\w.-]{1,64}:([^\s"'|]{3,255})["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd/gu },
  { kind: 'password', hint: 'chpasswd', pattern: /\bchpasswd[ \t]{0,4}<<<[ \t]{0,4}["']?[\w.-]{1,64}:([^\s"']{3,255})/gu },
  { kind: 'password', hint: '<<<', pattern: new RegExp(`(?:sudo[ \\t]+-S|--(?:with-token|password-stdin))[ \\t]{0,4}<<<[ \\t]{0,4}${word}`, 'gu') },
  behind('config', '(?:npm|yarn|pnpm|poetry|composer|bundle)[ \\t]{1,4}config(?:[ \\t]{1,4}set)?[ \\t]{1,4}[^\\s=]{0,128}(?:[Tt]oken|assword|_auth)[^\\s=]{0,64}'),
  behind('login', '(?:cargo|vault)[ \\t]{1,4}login(?![ \\t]{1,4}-)'),
  behind('authtoken', 'ngrok[ \\t]{1,4}(?:config[ \\t]{1,4}add-)?authtoken'),
  behind('rabbitmqctl', 'rabbitmqctl[ \\t]{1,4}(?:add_user|change_password|authenticate_user)[ \\t]{1,4}[^\\s]{1,64}'),
  behind('wpa_passphrase', 'wpa_passphrase[ \\t]{1,4}[^\\s]{1,64}'),
  behind('nmcli', 'nmcli\\b[^\\n|;]{0,200}?[ \\t]password'),
  behind('mc ', 'mc[ \\t]{1,4}alias[ \\t]{1,4}set[ \\t]{1,4}(?:[^\\s]{1,200}[ \\t]{1,4}){2}[^\\s]{1,200}'),
  behind('user-secrets', 'dotnet[ \\t]{1,4}user-secrets[ \\t]{1,4}set[ \\t]{1,4}"[^"\\n]{1,128}"'),
  behind('_', '(?:aws[ \\t]{1,4}configure[ \\t]{1,4}set|rclone[ \\t]{1,4}config[ \\t]{1,4}\\w{1,10})\\b[^\\n|;]{0,200}?[ \\t](?:aws_)?(?:secret_access_key|session_token|pass|token)'),
  { kind: 'password', hint: 'requirepass', pattern: /^[ \t]{0,8}requirepass[ \t]{1,8}"?([^\s"]{3,255})/gmu },
  { kind: 'password', hint: 'masterauth', pattern: /^[ \t]{0,8}masterauth[ \t]{1,8}"?([^\s"]{3,255})/gmu },
  { kind: 'password', hint: 'assw', pattern: /\b(?:login|account|user)[ \t\n]{1,4}[^\s]{1,128}[ \t\n]{1,4}passw(?:or)?d[ \t\n]{1,4}([^\s]{3,255})/gu },
  { kind: 'password', hint: ':', pattern: /^(?=[^:\s]{0,255}[A-Za-z*])[\w.*-]{1,255}:(?:\d{4,5}|\*):[^:\s/]{1,64}:[^:\s/]{1,64}:((?=[^\s]{0,80}\d)(?=[^\s]{0,80}[a-z])(?=[^\s]{0,80}[A-Z])[^\s:]{6,255})$/gmu },
  { kind: 'key', hint: 'ENV', pattern: /(?:^|[\s;&])ENV[ \t]{1,4}[A-Za-z0-9_]{0,64}(?:PASSWORD|PASS|PWD|TOKEN|SECRET|KEY|CREDENTIALS?)[ \t]{1,4}["']?([^\s"'$=%][^\s"']{3,4096})/gmu },
  { kind: 'key', hint: 'setx', pattern: /(?:^|[\s;&])setx[ \t]{1,4}(?:\/m[ \t]{1,4})?[A-Za-z0-9_]{0,64}(?:PASSWORD|PASS|PWD|TOKEN|SECRET|KEY|CREDENTIALS?)[ \t]{1,4}["']?([^\s"'$=%][^\s"']{3,4096})/gmu },
  { kind: 'password', hint: 'dentified', pattern: /\bidentified[ \t]{1,4}(?:with[ \t]{1,4}\w{1,40}[ \t]{1,4})?by[ \t]{1,4}(?:password[ \t]{1,4})?'([^'\n]{3,255})'/giu },
  { kind: 'password', hint: 'IDENTIFIED', pattern: /\bIDENTIFIED[ \t]{1,4}(?:WITH[ \t]{1,4}\w{1,40}[ \t]{1,4})?BY[ \t]{1,4}(?:PASSWORD[ \t]{1,4})?["']([^"'\n]{3,255})["']/gu },
  { kind: 'password', hint: 'PASSWORD', pattern: /\bPASSWORD[ \t]{1,4}(?:FOR[ \t]{1,4}[^\s]{1,64}[ \t]{0,4}=[ \t]{0,4})?'([^'\n]{3,255})'/gu },
]
