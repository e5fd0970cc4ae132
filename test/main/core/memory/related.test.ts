import { expect, test } from 'vitest'
import { factOf, relationOf, type Relation } from '../../../../src/main/core/memory/related'

const pairs: readonly (readonly [string, string, Relation | null])[] = [
  // The same.
  ['Use pnpm for installs', 'use  PNPM for installs', 'same'],
  ['测试用 vitest 运行', '测试用vitest运行。', 'same'],
  ['The database runs on port 5432.', 'The database runs on port 5432', 'same'],
  ['提交前先运行所有测试', '提交前先运行所有的测试', 'same'],
  ['Please run the tests before every commit in this repository', 'Run the tests before every commit in this repository', 'same'],
  // A negation on one side.
  ['Use tabs for indentation in this project', "Don't use tabs for indentation in this project", 'contradicts'],
  ['Commit directly to main', 'Never commit directly to main', 'contradicts'],
  ['提交前运行格式化', '提交前不要运行格式化', 'contradicts'],
  ['在生产环境使用缓存', '别在生产环境使用缓存', 'contradicts'],
  ['可以直接推送到主分支', '禁止直接推送到主分支', 'contradicts'],
  ['Write comments in English', 'Do not write comments in English', 'contradicts'],
  // Other numbers.
  ['The server listens on port 3000', 'The server listens on port 8080', 'contradicts'],
  ['缩进用 2 个空格', '缩进用 4 个空格', 'contradicts'],
  ['Node version is v20.1', 'Node version is v22.3', 'contradicts'],
  ['会议时间是每周一 10:30', '会议时间是每周一 14:00', 'contradicts'],
  // One value in place of another.
  ['The package manager is npm', 'The package manager is pnpm', 'contradicts'],
  ['部署到北京机房', '部署到上海机房', 'contradicts'],
  ['Write the changelog in English', 'Write the changelog in Chinese', 'contradicts'],
  ['数据库用 MySQL，部署在内网', '数据库用 Postgres，部署在内网', 'contradicts'],
  // Neither.
  ['The server listens on port 3000', 'Use tabs for indentation', null],
  ['Use pnpm', 'Use vitest', null],
  ['我喜欢简短的回答', '数据库在三楼的机房', null],
  ['Never commit secrets', 'Never push to main', null],
  ['不要使用 npm', '不要直接推送到主分支', null],
  ['The frontend lives in packages/web and uses React', 'The backend lives in packages/api and uses Fastify with Postgres', null],
  ['这个项目非常重视测试', '这个项目很重视测试', null],
  ['Release notes are in CHANGELOG.md', 'Release notes for the 2.0 line are in docs/releases and are written by Ann', null],
  ['The parser calls the lexer in the main loop', 'The lexer calls the parser in the main loop', null],
  ['', '', 'same'],
  ['👍', '👎', null],
]

test.each(pairs)('R39: %j and %j: %s', (one, other, relation) => {
  expect({ there: relationOf(factOf(one), factOf(other)), back: relationOf(factOf(other), factOf(one)) }).toEqual({ there: relation, back: relation })
})
