import type { Arg, Call, Judge, Outcome } from '../shell/call'
import { allow, ask, join, nothing } from '../shell/outcomes'
import { touch } from '../shell/places'
import { judgeOptions, optionTable, readOptions, type Given, type OptionTable } from './options'

/** A reading sub-command of a service's own program: its words, and the options that keep it reading. */
interface Reading {
  readonly words: RegExp
  readonly options: OptionTable
  readonly hasSingleDashNames?: boolean
  /** True when it asks the service; false when it works on files of the project alone. */
  readonly asksService: boolean
}

const kubectlOptions = optionTable(`-ApfRw -n= -o=! -l= -c= -L= --namespace= --all-namespaces --output=! --watch --watch-only --selector= --field-selector= --follow --container= --previous --tail= --since=
  --since-time= --timestamps --context= --cluster= --show-labels --sort-by= --no-headers --containers --all-containers --prefix --ignore-not-found --show-kind
  --label-columns= --limit-bytes= --max-log-requests= --chunk-size= --request-timeout= --recursive --api-version= --api-group= --namespaced= --verbs= --cached --short
  --client --minify --for= --types= --sum`)
const terraformOptions = optionTable(`--no-color --json --compact-warnings --detailed-exitcode --destroy --refresh-only --refresh= --input= --lock= --lock-timeout= --parallelism= --target= --replace= --var= --var-file=r
  --out=w --recursive --check --diff --write= --list= --test-directory=d --help --help --version --draw-cycles --type= --upgrade! --chdir=d`)
const ghOptions = optionTable(`-L= -s= -l= -a= -A= -B= -H= -R= -q= -T= -m= -c -b= -u= -w! --limit= --state= --label= --assignee= --author= --base= --head= --repo= --json= --jq= --template= --comments --search= --mention=
  --milestone= --app= --draft --log --log-failed --job= --attempt= --verbose --exit-status --branch= --workflow= --event= --user= --status= --commit= --required --watch
  --fail-fast --interval= --patch --name-only --color= --web! --order= --sort= --language= --topic= --visibility= --archived --fork --source --owner= --public --yaml --ref=
  --exclude-drafts --exclude-pre-releases --checks= --review= --merged --created= --updated= --closed= --hostname= --active`)
const helmOptions = optionTable(`-anqAdr -f=r -o= -l= -m= --namespace= --all-namespaces --output= --all --short --filter= --max= --date --reverse --set= --set-string= --set-json= --values=r --debug --version=
  --name-template= --include-crds --is-upgrade --kube-version= --api-versions= --show-only= --strict --with-subcharts --devel --versions --regexp --max-col-width= --output-dir=w
  --skip-tests --validate --dry-run? --revision= --kube-context= --post-renderer=x --repo=!`)
const awsOptions = optionTable(`--region= --output= --query= --profile= --no-paginate --no-cli-pager --max-items= --page-size= --starting-token= --filters= --filter= --instance-ids= --recursive --human-readable
  --summarize --color= --image-ids= --owners= --vpc-ids= --subnet-ids= --group-ids= --stack-name= --cluster= --name=`)

const readings: Readonly<Record<string, readonly Reading[]>> = {
  kubectl: [{ words: /^(?:get|describe|logs|top (?:pods?|nodes?|po|no)|version|explain|api-resources|api-versions|cluster-info(?! dump)|events|rollout (?:status|history)|config (?:current-context|get-contexts|get-clusters)|auth can-i)(?= |$)/u, options: kubectlOptions, asksService: true }],
  terraform: [
    { words: /^(?:validate|fmt|version|graph|workspace (?:list|show)|providers)(?= |$)|^$/u, options: terraformOptions, hasSingleDashNames: true, asksService: false },
    { words: /^(?:plan|init|state list|get)(?= |$)/u, options: terraformOptions, hasSingleDashNames: true, asksService: true },
  ],
  gh: [{ words: /^(?:(?:pr|issue|run|release|repo|workflow|label|gist|cache|ruleset|project|org|variable|ssh-key|gpg-key) (?:list|ls|view|status|diff|checks|watch)|search (?:repos|issues|prs|code|commits)|status|auth status)(?= |$)/u, options: ghOptions, asksService: true }],
  helm: [
    { words: /^(?:template|lint|version|show)(?= |$)/u, options: helmOptions, asksService: false },
    { words: /^(?:list|ls|status|history|search (?:repo|hub)|repo list|dependency list)(?= |$)/u, options: helmOptions, asksService: true },
  ],
  aws: [{ words: /^(?:s3 ls|sts get-caller-identity|(?:ec2|rds|elbv2|autoscaling|cloudwatch|route53|cloudfront|eks|sqs|sns|acm) (?:describe|list)-[\w-]+|logs describe-[\w-]+|cloudformation (?:describe|list)-stack[\w-]*)(?= |$)/u, options: awsOptions, asksService: true }],
}
const families: Readonly<Record<string, string>> = { tofu: 'terraform', oc: 'kubectl' }

/**
 * Reading sub-commands of services elsewhere that the person is logged in to: they change nothing and go to no address of
 * the command's own, so a rule may answer. Null for all others, which ask.
 */
export function remoteReading(call: Call): Outcome | null {
  const program = families[call.program] ?? call.program
  for (const reading of readings[program] ?? []) {
    const given = readOptions(call.args, reading.options, { hasSingleDashNames: reading.hasSingleDashNames === true })
    if (reading.words.test(given.operands.map((arg) => arg.text).join(' '))) return judgeReading(call, program, given, reading.asksService)
  }
  return null
}

function judgeReading(call: Call, program: string, given: Given, asksService: boolean): Outcome {
  const words = given.operands.map((arg) => arg.text)
  const found = asksService ? { ...allow('guard.remote-reads', { program: call.program }), hosts: [call.program] } : allow('guard.builds', { program: `${call.program} ${words[0] ?? ''}`.trim() })
  const address = given.operands.find((arg) => /:\/\/|^git::|^[\w.-]+\.[a-z]{2,}\//u.test(arg.text) && !/^s3:\/\//u.test(arg.text))
  const elsewhere = address ? { ...ask('guard.network', { program: call.program, host: address.shown }), hosts: ['?'] } : nothing
  const outside = join(...given.operands.filter((arg) => /^(?:\/|~|\.\.)/u.test(arg.text)).map((arg) => touch(call, arg, 'read-tree')).filter((each) => each.kind !== 'allowable'))
  return join(found, judgeOptions(call, withoutHarmlessOutput(given)), elsewhere, outside, isSecretReading(program, words, call.args) ? ask('guard.secret-file', { path: `${call.program} ${words.slice(0, 2).join(' ')}` }, true) : nothing)
}

/** `-o wide`, `-o json`: forms of output that read no template file. */
function withoutHarmlessOutput(given: Given): Given {
  return { ...given, options: given.options.map((option) => (option.role === 'asks' && option.value && /^(?:-o|--output)$/u.test(option.name) && !/file=|file$/u.test(option.value.text) ? { ...option, role: 'none' as const } : option)) }
}

/** What prints secrets: those of a cluster, and the token of a login. */
function isSecretReading(program: string, words: readonly string[], args: readonly Arg[]): boolean {
  if (program === 'kubectl') return /^(?:get|describe)$/u.test(words[0] ?? '') && words.slice(1).some((word) => /(?:^|[,/])(?:secrets?|sealedsecrets?|externalsecrets?)(?:[.,/]|$)/iu.test(word) || /[\uFDD0-\uFDD2]/u.test(word))
  return program === 'gh' && words[0] === 'auth' && args.some((arg) => /^(?:-t|--show-token)$/u.test(arg.text))
}

/** `sqlite3 FILE 'select …'` with one reading statement, or a listing command. */
export const readsDatabase: Judge = (call) => {
  const given = readOptions(call.args, optionTable('--readonly --header --noheader --json --csv --column --line --list --table --markdown --box --separator= --nullvalue= --batch --bail --version --ascii --html --quote --tabs --safe'), { hasSingleDashNames: true })
  const [file, ...texts] = given.operands
  const isReading = file !== undefined && texts.length > 0 && texts.every((arg) => /^\s*(?:\.(?:tables|schema|indexes|indices|databases|dbinfo)(?:\s+[\w%]+)?|(?:select|explain|pragma\s+(?:table_info|table_list|index_list|foreign_key_list))\b[^;]*;?)\s*$/iu.test(arg.text) && !/\b(?:writefile|readfile|load_extension|edit|fts3_tokenizer|attach|into)\b/iu.test(arg.text))
  if (!isReading || given.unknown !== null) return ask('guard.database', { program: 'sqlite3' })
  return join(allow('guard.reads-database', { program: 'sqlite3' }), touch(call, file, 'read'))
}
