import type { doctor as english } from '../en/doctor'

export const doctor: Readonly<Record<keyof typeof english, string>> = {
  'doctor.runtime': 'Node {node}，Electron {electron}。',
  'doctor.modules': '数据库模块可以加载。',
  'doctor.keychain': '系统钥匙串可用。',
  'doctor.no-keychain': '这里没有系统钥匙串。',
  'doctor.no-keychain-do': '密钥只保留一个会话，或用口令加密保存；窗口版使用桌面系统的钥匙串。',
  'doctor.namespace': '命令有各自的进程命名空间。',
  'doctor.no-namespace': '这里没有进程命名空间：靠环境变量中的标记查找命令的子进程。',
  'doctor.no-bash': '缺少 bash：无法运行命令。',
  'doctor.sandbox': '命令在沙箱中运行。',
  'doctor.git': 'git 位于 {path}；快照不依赖它。',
  'doctor.no-git': '没有安装 git；快照不依赖它。',
  'doctor.ripgrep': 'ripgrep 可用。',
  'doctor.no-ripgrep': '缺少 ripgrep；搜索改用较慢的内置方式。',
  'doctor.providers': '已设置：{names}。',
  'doctor.no-providers': '没有设置供应商；练习模型无需供应商即可使用。',
  'doctor.no-providers-do': '在“模型”中添加，或设置 COUNTERSIGN_PROVIDER_URL。',
}
