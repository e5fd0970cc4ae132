import type { skill as english } from '../en/skill'

export const skill: Readonly<Record<keyof typeof english, string>> = {
  'skill.folder-not-shown': '无法显示文件夹。路径是 {path}。',
}
