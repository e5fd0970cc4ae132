/** One recognisable form of a secret. `hint` must be in the text before the pattern is tried: it keeps long texts cheap. */
export interface SecretPattern {
  readonly kind: string
  readonly hint: string
  /** Global, without nested repeats; group 1 is the secret when only a part of the match is. */
  readonly pattern: RegExp
}

const start = '(?<![A-Za-z0-9])'
const end = '(?![A-Za-z0-9])'

function form(kind: string, hint: string, body: string): SecretPattern {
  return { kind, hint, pattern: new RegExp(`${start}${body}${end}`, 'gu') }
}

/**
 * Keys and tokens that their makers gave a form of their own (public documentation of each; the lists of secretlint and of
 * common secret scanners name the same). No rule looks at randomness: hashes, lock files and images must stay.
 */
export const secretPatterns: readonly SecretPattern[] = [
  form('github', 'gh', 'gh[pousr]_[A-Za-z0-9]{20,255}'),
  form('github', 'github_pat_', 'github_pat_[A-Za-z0-9_]{20,255}'),
  form('gitlab', 'gl', 'gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent|imt|oas|ffct)-[A-Za-z0-9_.-]{16,255}'),
  form('aws', 'A', '(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|ANPA|ANVA|APKA)[A-Z0-9]{16}'),
  form('google', 'AIza', 'AIza[A-Za-z0-9_-]{35}'),
  form('google', 'ya29.', 'ya29\\.[A-Za-z0-9_-]{20,1024}'),
  form('google', 'GOCSPX-', 'GOCSPX-[A-Za-z0-9_-]{20,64}'),
  form('anthropic', 'sk-ant-', 'sk-ant-[A-Za-z0-9_-]{20,255}'),
  form('openrouter', 'sk-or-', 'sk-or-[A-Za-z0-9_-]{20,255}'),
  form('openai', 'sk-', 'sk-(?=[A-Za-z_-]{0,80}[0-9])[A-Za-z0-9_-]{20,255}'),
  form('slack', 'xox', 'xox[abceoprs]-[A-Za-z0-9-]{10,255}'),
  form('slack', 'xapp-', 'xapp-[0-9]-[A-Za-z0-9-]{10,255}'),
  form('slack-webhook', 'hooks.slack', 'hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/+-]{20,255}'),
  form('discord-webhook', '/api/webhooks/', '(?:discord(?:app)?\\.com)/api/webhooks/[0-9]{10,25}/[A-Za-z0-9_-]{20,255}'),
  form('discord', '.', '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,45}'),
  form('teams-webhook', 'webhook.office.com', '[a-z0-9-]{1,63}\\.webhook\\.office\\.com/webhookb2/[A-Za-z0-9@/_-]{40,512}'),
  form('stripe', '_live_', '[rsp]k_live_[A-Za-z0-9]{16,255}'),
  form('stripe', '_test_', '[rs]k_test_[A-Za-z0-9]{16,255}'),
  form('stripe', 'whsec_', 'whsec_[A-Za-z0-9+/=]{24,128}'),
  form('npm', 'npm_', 'npm_[A-Za-z0-9]{36}'),
  form('pypi', 'pypi-', 'pypi-[A-Za-z0-9_-]{40,512}'),
  form('rubygems', 'rubygems_', 'rubygems_[a-f0-9]{48}'),
  form('huggingface', 'hf_', 'hf_[A-Za-z0-9]{30,64}'),
  form('sendgrid', 'SG.', 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}'),
  form('mailgun', 'key-', 'key-[0-9a-f]{32}'),
  form('mailchimp', '-us', '[0-9a-f]{32}-us[0-9]{1,2}'),
  form('twilio', 'SK', 'SK[0-9a-f]{32}'),
  form('telegram', ':AA', '[0-9]{8,10}:AA[A-Za-z0-9_-]{33}'),
  form('digitalocean', '_v1_', 'do[opr]_v1_[a-f0-9]{64}'),
  form('shopify', 'shp', 'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}'),
  form('linear', 'lin_api_', 'lin_api_[A-Za-z0-9]{32,64}'),
  form('notion', 'ntn_', 'ntn_[A-Za-z0-9]{40,64}'),
  form('notion', 'secret_', 'secret_[A-Za-z0-9]{43}'),
  form('figma', 'figd_', 'figd_[A-Za-z0-9_-]{36,64}'),
  form('databricks', 'dapi', 'dapi[a-f0-9]{32}(?:-[0-9])?'),
  form('atlassian', 'ATATT3', 'ATATT3[A-Za-z0-9_=-]{40,512}'),
  form('vault', 'hv', 'hv[bs]\\.[A-Za-z0-9_-]{20,255}'),
  form('docker', 'dckr_', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,64}'),
  form('dynatrace', 'dt0', 'dt0[a-z][0-9]{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  form('grafana', 'gl', 'gl(?:sa|c)_[A-Za-z0-9+/=_]{30,255}'),
  form('newrelic', 'NR', 'NR(?:AK|JS|II|RA)-[A-Za-z0-9]{20,64}'),
  form('sentry', 'sntry', 'sntry[su]_[A-Za-z0-9+/=_]{40,512}'),
  form('supabase', 'sb', 'sb(?:p_[a-f0-9]{40}|_secret_[A-Za-z0-9_-]{20,64})'),
  form('planetscale', 'pscale_', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,64}'),
  form('postman', 'PMAK-', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'),
  form('pulumi', 'pul-', 'pul-[a-f0-9]{40}'),
  form('terraform', '.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,70}'),
  form('doppler', 'dp.', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9_.-]{40,64}'),
  form('groq', 'gsk_', 'gsk_[A-Za-z0-9]{48,64}'),
  form('xai', 'xai-', 'xai-[A-Za-z0-9]{60,100}'),
  form('perplexity', 'pplx-', 'pplx-[A-Za-z0-9]{40,64}'),
  form('replicate', 'r8_', 'r8_[A-Za-z0-9]{37,40}'),
  form('square', 'sq0', 'sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}'),
  form('square', 'EAAA', 'EAAA[A-Za-z0-9_-]{60}'),
  form('facebook', 'EAA', 'EAA[A-Za-z0-9]{80,255}'),
  form('firebase', 'AAAA', 'AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{140}'),
  form('alibaba', 'LTAI', 'LTAI[A-Za-z0-9]{12,22}'),
  form('tencent', 'AKID', 'AKID[A-Za-z0-9]{30,40}'),
  form('age', 'AGE-SECRET-KEY-', 'AGE-SECRET-KEY-1[0-9A-Za-z]{50,70}'),
  form('jwt', 'eyJ', 'eyJ[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{4,8192}\\.[A-Za-z0-9_-]{8,2048}'),
  form('jwt', 'eyJ', 'eyJ[A-Za-z0-9_-]{16,4096}\\.\\.[A-Za-z0-9_-]{8,64}\\.[A-Za-z0-9_-]{16,8192}\\.[A-Za-z0-9_-]{16,64}'),
]
