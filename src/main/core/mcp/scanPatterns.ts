import type { SayCode } from '../../../shared/words/codes'

/** A way of speaking that is worth a look. `unless`: said by a stronger warning already. */
export interface ScanPattern {
  readonly code: SayCode
  readonly pattern: RegExp
  readonly unless?: SayCode
  /** The pattern is looked for near these only. */
  readonly around?: RegExp
}

/** Files that hold secrets, by names that are nothing else. `.env.example` and the like hold none. */
const secretFile = String.raw`(?:(?<![\w.])\.env(?!\.(?:example|sample|template|dist)|\w)(?:\.[a-z]+)?|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|(?:~|\$HOME|/root|/home/\w+)/\.ssh\b|\.ssh/|\.aws/credentials|~/\.aws\b|\.git-credentials|(?<!\w)\.netrc\b|(?<!\w)\.npmrc\b|(?<!\w)\.pypirc\b|\.kube/config|\.docker/config\.json|/etc/(?:shadow|passwd)\b|\.cursor/mcp\.json|claude_desktop_config\.json|\bwallet\.dat\b|SSH ?(?:私钥|密钥|私鑰|密鑰)|\b(?:ssh|private) keys?(?: file)?\b(?= (?:of|from) the user))`
const fetching = String.raw`\b(?:read|open|cat|load|fetch|get|access)\b`
const passing = String.raw`\b(?:attach|send|pass|upload|include|paste|put|post|copy|append|forward|provide|submit)\b`
const near = String.raw`[^\n]{0,120}?`

function english(source: string): RegExp {
  return new RegExp(source, 'iu')
}

/**
 * What the scan looks for, in folded text. English and Chinese (both writings). Ordinary advice to the model («use this
 * before query_docs», «you must pass an absolute path») is not here: every second server gives some.
 */
export const scanPatterns: readonly ScanPattern[] = [
  {
    code: 'mcp.warn-overrides',
    pattern: english(String.raw`\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|the|your|of|every|these|those)\s+){0,3}(?:previous|prior|above|earlier|preceding|foregoing|existing|other|system|safety|developer)\s+(?:\w+\s+){0,2}?(?:instructions?|rules?|prompts?|messages?|guidelines?|directions?|policy|policies|constraints?|commands?|context)\b`),
  },
  { code: 'mcp.warn-overrides', pattern: /(?:忽略|无视|無視|忘记|忘記|忘掉|抛开|拋開|不要理会|不要理會|不要遵守|不要遵循|不必遵守|绕过|繞過|覆盖|覆蓋)[^。；\n]{0,10}(?:之前|先前|以上|上述|前面|此前|上面|原有|原来|原來|系统|系統|其他|安全)[^。；\n]{0,8}(?:指令|指示|提示|规则|規則|要求|命令|限制|约束|約束)/u },
  { code: 'mcp.warn-overrides', pattern: english(String.raw`\b(?:new|updated|real|actual) (?:system )?(?:instructions|prompt)\s*:|\byou are (?:now|no longer) (?:an?|the|in|bound)\b`) },
  { code: 'mcp.warn-overrides', pattern: /从(?:现在|此刻)(?:开始|起)[，,]?\s*你(?:是|将|要|必须)|你现在(?:是|扮演)/u },
  {
    code: 'mcp.warn-hides',
    pattern: english(String.raw`\b(?:do\s?n[o']?t|do not|never|must not|should not|without|avoid|refrain from)\s+(?:\w+\s+){0,2}?(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|reveal|revealing|show|showing|alert|alerting|disclose|disclosing|warn|warning|explain|explaining)\b[^.\n]{0,60}?\b(?:the |to )?users?\b`),
  },
  { code: 'mcp.warn-hides', pattern: english(String.raw`\b(?:hide|conceal|keep)\b[^.\n]{0,50}?\b(?:from|secret from|hidden from) (?:the )?users?\b|\b(?:the )?user (?:must|should|does|need) ?n(?:o|')t (?:know|see|notice|be told|be aware)\b|\bdo not (?:mention|talk about|refer to) (?:this|these|it)\b[^.\n]{0,30}\b(?:instruction|step|note|message|tag)`) },
  { code: 'mcp.warn-hides', pattern: /(?:不要|不得|不能|不可|切勿|请勿|請勿|别|別|禁止|无需|無需|不必|勿)(?:再)?(?:向|对|對|跟|和|让|讓|被|把|给|給)?[^。，,\n]{0,12}(?:告诉|告訴|告知|通知|透露|提及|提到|说明|說明|显示|顯示|提醒|泄露|洩露|知道|看到|发现|發現|察觉|察覺)[^。，,\n]{0,4}(?:用户|用戶|使用者)/u },
  { code: 'mcp.warn-hides', pattern: /(?:不要|不得|不能|不可|切勿|请勿|請勿|别|別|禁止|无需|無需|不必|勿)(?:再)?(?:向|对|對|跟|和|让|讓|被|给|給)(?:用户|用戶|使用者)[^。，,\n]{0,8}(?:提及|提到|透露|说|說|显示|顯示|知道|看到|看见|看見|发现|發現|察觉|察覺|解释|解釋)|(?:向|对|對)(?:用户|用戶|使用者)(?:隐瞒|隱瞞|保密|隐藏|隱藏)|瞒着(?:用户|使用者)/u },
  { code: 'mcp.warn-hides', pattern: english(String.raw`\b(?:without|do not|don't|never) (?:asking|ask|request|requesting|wait for|waiting for|seek|seeking)\b[^.\n]{0,30}?\b(?:user|confirmation|approval|permission|consent)\b`) },
  { code: 'mcp.warn-hides', pattern: /(?:不要|无需|無需|不必|不用|跳过|跳過|切勿)[^。，,\n]{0,4}(?:询问|詢問|征求|徵求|请求|請求|等待)[^。，,\n]{0,8}(?:用户|用戶|使用者|确认|確認|批准|同意|许可|許可)/u },
  { code: 'mcp.warn-marks', pattern: english(String.raw`<\/?\s*(?:important|system|instructions?|secret|hidden|assistant|critical|admin|sys|重要|系统|指令|机密)\s*>|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?(?:INST|SYS)\]|<<SYS>>|^#{2,}\s*(?:system|instructions? for (?:the )?(?:ai|assistant|model))\b`) },
  { code: 'mcp.warn-marks', pattern: /^(?:system|assistant|human)\s*:\s*(?:you|please|ignore|from now|do|always|never)\b/imu },
  { code: 'mcp.warn-takes-talk', pattern: english(String.raw`${passing}\s+(?:\w+\s+){0,3}?(?:conversation|chat history|chat log|message history|previous messages|system prompt|other tools?' (?:output|results?))\b[^.\n]{0,60}|\b(?:reveal|print|repeat|output|leak)\s+(?:the |your )?(?:system prompt|hidden instructions)`) },
  { code: 'mcp.warn-takes-talk', pattern: /(?:发送|發送|上传|上傳|附上|附带|传入|傳入|提供|填入|放入|输出|輸出|泄露|透露|打印)[^。；\n]{0,10}(?:对话|對話|聊天)(?:记录|紀錄|历史|歷史|内容|內容)|(?:输出|輸出|泄露|透露|打印|发送|發送|重复)[^。；\n]{0,6}系统提示/u },
  { code: 'mcp.warn-secrets-passed', around: new RegExp(secretFile, 'giu'), pattern: english(`(?:${fetching}|${passing})${near}${secretFile}${near}${passing}|${passing}${near}${secretFile}`) },
  { code: 'mcp.warn-secrets-passed', around: new RegExp(secretFile, 'giu'), pattern: english(`(?:读取|讀取|打开|打開|查看|加载|获取|取得|发送|發送|上传|上傳)${near}${secretFile}${near}(?:附|发送|發送|发给|上传|上傳|传给|传入|傳入|粘贴|放入|填入|提供|提交|包含)|(?:把|将|將)${near}${secretFile}${near}(?:附|发|發|传|傳|贴|貼|放|填|交)`) },
  { code: 'mcp.warn-secrets-named', unless: 'mcp.warn-secrets-passed', pattern: english(secretFile) },
]
