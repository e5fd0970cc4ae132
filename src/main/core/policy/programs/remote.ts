import type { Arg, Call, Judge, Outcome, ProgramTable } from '../shell/call'
import { allow, ask, deny, join, nothing } from '../shell/outcomes'
import { touchAll } from '../shell/places'

/**
 * Command lines of services elsewhere. They hold logins, so even reading asks; what hands out a token is denied, and
 * whatever would send secrets is too.
 */
function service(tokens: RegExp | null): Judge {
  return (call) => {
    const words = call.args.map((arg) => arg.text).join(' ')
    if (/^(?:version(?: --client)?|-v|-V|--version|help)$/u.test(words)) return allow('guard.reads')
    const token = tokens?.test(words) ? deny('guard.key-store', { program: call.program }) : nothing
    const secret = call.stdin.isSecret || call.args.some((arg) => arg.isSecret) ? deny('guard.sends-secret', { program: call.program, host: call.program }) : nothing
    const files = touchAll(call, namedFiles(call), 'read')
    const isDeniedRead = files.kind === 'deny' ? files : nothing
    const found: Outcome = { ...ask('guard.remote-effect', { program: call.program, host: call.program }), hosts: [call.program] }
    return join(found, token, secret, isDeniedRead)
  }
}

/** Words that name files of this machine: sending keys from here is what must be seen. */
function namedFiles(call: Call): readonly Arg[] {
  return call.args.filter((arg) => /^(?:~|\/|\.\.?\/)|\//u.test(arg.text) && !/^[A-Za-z][\w+.-]*:|^-/u.test(arg.text))
}

const plain = service(null)

/** Programs of services elsewhere. */
export const remotePrograms: ProgramTable = {
  gh: service(/^auth (?:token|status .*-t)|auth token/u), hub: plain, glab: service(/auth (?:token|status .*-t)/u), aws: service(/configure (?:get|export-credentials)|sts get-session-token|ecr get-login-password|secretsmanager get-secret-value|ssm get-parameters? .*--with-decryption/u),
  gcloud: service(/auth (?:print-(?:access|identity)-token|application-default print-access-token)|secrets versions access/u), gsutil: plain, bq: plain, az: service(/account get-access-token|keyvault secret show/u), kubectl: service(/config view .*--raw/u), oc: service(/whoami -t/u), k9s: plain, helm: plain, helmfile: plain,
  terraform: plain, tofu: plain, terragrunt: plain, pulumi: plain, ansible: plain, 'ansible-playbook': plain, 'ansible-vault': service(/^(?:view|decrypt)/u), vagrant: plain, packer: plain, cdk: plain, sam: plain, serverless: plain, sls: plain, eksctl: plain, doctl: plain, linode: plain, flyctl: plain, fly: service(/auth token/u),
  heroku: service(/auth:token/u), vercel: plain, netlify: plain, wrangler: plain, firebase: plain, supabase: plain, railway: plain, surge: plain, eas: plain, expo: plain, fastlane: plain, 'twine': plain, vault: service(/^(?:read|kv get|token lookup|print token)/u), consul: plain, nomad: plain, psql: plain, mysql: plain, mysqldump: plain, mongosh: plain, mongo: plain, 'redis-cli': plain, pg_dump: plain, pg_restore: plain, dropdb: plain, createdb: plain, mysqladmin: plain, sqlcmd: plain, clickhouse: plain, cqlsh: plain, s3cmd: plain, mc: plain, b2: plain, stripe: plain, twilio: plain, slack: plain, argocd: plain, flux: plain, istioctl: plain, skaffold: plain, minikube: plain, kind: plain, k3d: plain, cosign: plain, skopeo: plain, crane: plain, oras: plain, svn: plain, hg: plain, cvs: plain, bzr: plain, fossil: plain, p4: plain, rsh: plain, rlogin: plain, smbclient: plain, 'sshfs': plain, acme: plain, certbot: plain, tailscale: plain, wg: plain, openvpn: plain,
}
