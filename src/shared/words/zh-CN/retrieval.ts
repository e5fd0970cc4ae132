import type { retrieval as english } from '../en/retrieval'

export const retrieval: Readonly<Record<keyof typeof english, string>> = {
  'retrieval.no-folder': '没有打开文件夹，因此没有可搜索的内容。',
  'retrieval.off': '这个项目的搜索索引已关闭。请在设置中打开，或使用 search_text。',
  'retrieval.partial': '索引仍在建立：这里没有列出的位置也可能存在。search_text 会搜索全部文件。',
  'retrieval.nothing': '索引中没有内容能回答这个问题。请如实说明，或换用别的词、search_text 或 find_files。',
  'retrieval.found': '{files} 个文件中的 {count} 处。',
  'retrieval.no-language': '索引中没有 {language} 这种语言。请写语言名或文件扩展名，例如 typescript、py、markdown，或者不写。',
  'retrieval.no-vectors': '只按词搜索；嵌入服务没有回答：{problem}',
  'retrieval.not-rewritten': '按原问题搜索；改写模型没有帮上忙：{problem}',
  'retrieval.not-reranked': '按搜索顺序排列；重排服务没有回答：{problem}',
  'retrieval.below-threshold': '重排服务对找到的每一处评分都低于 {threshold}。',
  'retrieval.no-answer': '无法读懂回答',
  'retrieval.thread-stopped': '用于搜索记忆和项目的线程已停止：{problem}。已保存的内容没有丢失。请重新启动应用。',
  'retrieval.cache-failed': '无法读写检索索引：{problem}。索引可以重建；search_text 仍能搜到全部内容。',
  'retrieval.too-slow': '{seconds} 秒内没有应答',
  'retrieval.index-stopped': '程序出错，索引已停止：{problem}。请重建索引，或重启应用。',
}
