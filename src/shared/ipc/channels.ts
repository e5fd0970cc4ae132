/** The one list of doors the window may call. Preload functions, handlers, fake and docs are made from it. */
export const channels = [
  'app/start',
  'workspace/choose',
  'workspace/open',
  'session/list',
  'session/create',
  'session/rename',
  'session/read',
  'session/prompt',
  'session/cancel',
  'session/set-level',
  'approval/list',
  'approval/decide',
  'command/input',
  'command/resize',
  'output/read',
  'program/list',
  'program/end',
  'timeline/read',
  'timeline/changes',
  'timeline/file',
  'rollback/plan',
  'rollback/apply',
  'rollback/undo',
  'settings/change',
  'provider/list',
  'provider/save',
  'provider/save-key',
  'provider/unseal',
  'provider/test',
  'provider/models',
  'practice/start',
  'link/open',
  'audit/verify',
] as const
export type ChannelName = (typeof channels)[number]

/** What main pushes to the window. Batched; each carries an array in order. */
export const pushes = ['session/events', 'session/parts', 'approval/changed', 'audit/changed', 'program/changed', 'snapshot/progress', 'workspace/opened', 'settings/changed', 'app/fault'] as const
export type PushName = (typeof pushes)[number]
