/** A text as words for a search: camel and snake case taken apart, small, in their stem; Han characters by pairs. */
export function searchWords(text: string): readonly string[] {
  const words: string[] = []
  const parted = text.normalize('NFKC').replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2').toLowerCase()
  for (const [run] of parted.matchAll(/\p{Script=Han}+|[\p{L}\p{N}]+/gu)) {
    if (!/^\p{Script=Han}/u.test(run)) {
      for (const [word] of run.matchAll(/\p{Script=Han}+|[^\p{Script=Han}]+/gu)) words.push(...(/^\p{Script=Han}/u.test(word) ? pairsOf(word) : [stemOf(word)]))
    } else words.push(...pairsOf(run))
  }
  return words
}

function pairsOf(run: string): readonly string[] {
  const characters = [...run]
  return characters.length === 1 ? characters : characters.slice(1).map((character, at) => (characters[at] ?? '') + character)
}

/** Plurals and the commonest endings off, the same for `files`, `searching`, `created`, `queries`. Not for reading. */
export function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/u.test(word)) return word
  let stem = word
  if (/(?:ss|x|ch|sh)es$/u.test(stem)) stem = stem.slice(0, -2)
  else if (/[^aeiou]ies$/u.test(stem)) stem = `${stem.slice(0, -3)}y`
  else if (/[^su]s$/u.test(stem)) stem = stem.slice(0, -1)
  if (stem.length > 5 && /[aeiouy][a-z]*ing$/u.test(stem)) stem = undoubled(stem.slice(0, -3))
  else if (stem.length > 4 && /[aeiouy][a-z]*ed$/u.test(stem)) stem = undoubled(stem.slice(0, -2))
  // `create`, `creat-ed` and `creat-ing` meet without their last e.
  return stem.length > 4 && stem.endsWith('e') ? stem.slice(0, -1) : stem
}

function undoubled(stem: string): string {
  return /([bdgmnprt])\1$/u.test(stem) ? stem.slice(0, -1) : stem
}

/** Words that mean the same to somebody who looks for a tool. */
const groups: readonly string[] = [
  'delete remove erase drop destroy 删除 移除 清除', 'create add new make insert 创建 新建 添加 新增', 'find search lookup query locate 搜索 查找 查询 检索', 'list show enumerate 列出 列表 显示',
  'read get fetch view load retrieve open 读取 获取 查看 打开', 'update edit modify change alter set 更新 修改 编辑 更改', 'write save store 写入 保存', 'send post 发送 发布', 'run execute invoke 运行 执行',
  'folder directory dir 目录 文件夹', 'file 文件', 'image picture photo screenshot 图片 图像 截图', 'mail email message 邮件 消息', 'repo repository 仓库', 'ticket issue bug 工单 问题 议题', 'database db sql 数据库', 'table 数据表 表格',
  'page web website url browser 网页 浏览器 页面', 'calendar event meeting appointment 日历 日程 会议', 'user person member people 用户 成员', 'move rename 移动 重命名', 'copy duplicate 复制', 'commit 提交', 'branch 分支', 'merge 合并',
  'pull request pr 拉取请求 合并请求', 'log logs 日志', 'weather forecast 天气 预报', 'map route direction navigation 地图 路线 导航', 'translate translation 翻译', 'time date clock 时间 日期', 'convert transform 转换', 'chart graph plot 图表',
  'document doc docs documentation 文档', 'note 笔记', 'task todo 任务 待办', 'price quote stock 价格 股票', 'upload 上传', 'download fetch get 下载', 'click press 点击', 'compare diff difference 比较 差异', 'history 历史', 'comment reply 评论 回复',
  'deploy release publish 部署 发布', 'test check verify validate 测试 检查 验证', 'container docker 容器', 'key secret password credential 密钥 密码', 'pay payment charge invoice 支付 付款 账单', 'summary summarize 摘要 总结', 'memory remember 记忆 记住',
]
const related = relatedWords()

function relatedWords(): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>()
  for (const group of groups) {
    // A longer Chinese word is found by each of its pairs.
    const words = [...new Set(group.split(' ').flatMap(searchWords))]
    for (const word of words) for (const other of words) if (other !== word) all.set(word, (all.get(word) ?? new Set()).add(other))
  }
  return all
}

/** Other words for a word, in both languages. */
export function relatedTo(word: string): ReadonlySet<string> {
  return related.get(word) ?? new Set()
}
