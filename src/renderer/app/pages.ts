import { lazyPage, lazyPart } from '../ui/lazyPart'

// Each page is a chunk of its own: the first paint needs only the frame.

export const WorkView = lazyPage(() => import('../features/work/WorkView').then((module) => module.WorkView))
export const TimelinePage = lazyPage(() => import('../features/timeline/TimelinePage').then((module) => module.TimelinePage))
export const MemoryView = lazyPage(() => import('../features/memory/MemoryView').then((module) => module.MemoryView))
export const ServersView = lazyPage(() => import('../features/servers/ServersView').then((module) => module.ServersView))
export const SkillsView = lazyPage(() => import('../features/skills/SkillsView').then((module) => module.SkillsView))
export const AuditView = lazyPage(() => import('../features/audit/AuditView').then((module) => module.AuditView))
export const ModelsView = lazyPage(() => import('../features/models/ModelsView').then((module) => module.ModelsView))
export const UsageView = lazyPage(() => import('../features/usage/UsageView').then((module) => module.UsageView))
export const SettingsView = lazyPage(() => import('../features/settings/SettingsView').then((module) => module.SettingsView))
export const RulesView = lazyPage(() => import('../features/rules/RulesView').then((module) => module.RulesView))
export const WelcomeView = lazyPage(() => import('../features/welcome/WelcomeView').then((module) => module.WelcomeView))
export const TurnReview = lazyPage(() => import('../features/timeline/TurnReview').then((module) => module.TurnReview))
export const CompactionView = lazyPage(() => import('../features/compaction/CompactionView').then((module) => module.CompactionView))
export const RollbackView = lazyPage(() => import('../features/rollback/RollbackView').then((module) => module.RollbackView))
/** Asked for by main or by the person; until it is there nothing of the folder takes part. */
export const TrustDialog = lazyPart(() => import('../features/trust/TrustDialog').then((module) => module.TrustDialog), () => null)
