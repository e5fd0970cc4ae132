import type { retrieval as english } from '../en/retrieval'

export const retrieval: Readonly<Record<keyof typeof english, string>> = {
  'retrieval.no-folder': '没有打开文件夹，因此没有可搜索的内容。',
}
