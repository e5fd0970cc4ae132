import { sliceArg, type Arg, type Call, type Judge, type Outcome, type ProgramTable } from '../shell/call'
import { allow, ask, deny, isDenied, join, nothing } from '../shell/outcomes'
import { wordSet } from '../shell/alternatives'
import { touchAll } from '../shell/places'
import { remoteReading } from './remoteReads'

/**
 * Command lines of services elsewhere. They hold logins, so even reading asks; what hands out a token is denied, and
 * whatever would send secrets is too.
 */
function service(tokens: RegExp | null): Judge {
  return (call) => {
    const words = call.args.map((arg) => arg.text).join(' ')
    if (/^(?:version(?: --client)?|-v|-V|--version|help)$/u.test(words)) return allow('guard.reads')
    const reading = remoteReading(call)
    if (reading && !isSending(call) && tokens?.test(words) !== true) return reading
    const token = tokens?.test(words) ? deny('guard.key-store', { program: call.program }) : nothing
    const secret = call.stdin.isSecret || call.args.some((arg) => arg.isSecret) ? deny('guard.sends-secret', { program: call.program, host: call.program }) : nothing
    const files = touchAll(call, namedFiles(call), 'read')
    const isDeniedRead = files.kind === 'deny' ? files : nothing
    const found: Outcome = { ...ask('guard.remote-effect', { program: call.program, host: call.program }), hosts: [call.program] }
    return join(found, token, secret, isDeniedRead, ...shellsOut(call).map((text) => call.runText(text)).filter(isDenied))
  }
}

/** Text that a client hands to a shell of this machine: `\\!` and `system` of databases, tasks of Ansible for this very machine. */
function shellsOut(call: Call): readonly string[] {
  const words = call.args.map((arg) => arg.text)
  if (/^(?:psql|mysql|mariadb|mongosh?|clickhouse|sqlcmd)$/u.test(call.program)) {
    return [...words, call.stdin.text ?? ''].flatMap((text) => [...text.matchAll(/(?:^|\s|;)(?:\\!|system\s|!!)\s*([^\n]+)/gu)].map((match) => match[1] ?? ''))
  }
  const isHere = /^ansible/u.test(call.program) && words.some((word) => /^(?:localhost|127\.0\.0\.1|local)\b/u.test(word))
  return isHere ? words.filter((_, at) => /^(?:-a|--args)$/u.test(words[at - 1] ?? '')) : []
}

function isSending(call: Call): boolean {
  return call.stdin.isSecret || call.args.some((arg) => arg.isSecret)
}

/** Words that name files of this machine: sending keys from here is what must be seen. */
function namedFiles(call: Call): readonly Arg[] {
  // `--from-file=x` and `key=x`.
  const values = call.args.flatMap((arg) => (/^-?-?[\w.-]+=[^=]*$|^--[\w-]+=/u.test(arg.text) && /=(?:~|\/|\.)[^=]*$/u.test(arg.text) ? [sliceArg(arg, arg.text.lastIndexOf('=') + 1)] : []))
  return [...call.args, ...values].filter((arg) => /^(?:~|\/|\.\.?\/)|\//u.test(arg.text) && !/^[A-Za-z][\w+.-]*:|^-/u.test(arg.text))
}

/** Those whose every use is asked about in the same way. */
const plainServices = `
  hub gsutil bq k9s helm helmfile terraform tofu terragrunt pulumi ansible ansible-playbook vagrant packer cdk sam serverless sls eksctl doctl linode
  flyctl vercel netlify wrangler firebase supabase railway surge eas expo fastlane twine consul nomad psql mysql mariadb mysqldump mongosh mongo redis-cli
  pg_dump pg_restore dropdb createdb mysqladmin sqlcmd clickhouse cqlsh s3cmd mc b2 stripe twilio slack argocd flux istioctl skaffold minikube kind k3d
  cosign skopeo crane oras svn hg cvs bzr fossil p4 rsh rlogin smbclient sshfs acme certbot tailscale wg openvpn
`

/** Programs of services elsewhere. */
export const remotePrograms: ProgramTable = {
  ...Object.fromEntries([...wordSet(plainServices)].map((name) => [name, service(null)])),
  gh: service(/^auth (?:token|status .*-t)|auth token/u),
  glab: service(/auth (?:token|status .*-t)/u),
  aws: service(/configure (?:get|export-credentials)|sts get-session-token|ecr get-login-password|secretsmanager get-secret-value|ssm get-parameters? .*--with-decryption/u),
  gcloud: service(/auth (?:print-(?:access|identity)-token|application-default print-access-token)|secrets versions access/u),
  az: service(/account get-access-token|keyvault secret show/u),
  kubectl: service(/config view .*--raw/u),
  oc: service(/whoami -t/u),
  'ansible-vault': service(/^(?:view|decrypt)/u),
  fly: service(/auth token/u),
  heroku: service(/auth:token/u),
  vault: service(/^(?:read|kv get|token lookup|print token)/u),
}
