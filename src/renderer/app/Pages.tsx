import { lazyPart } from '../ui/lazyPart'

// Each page is a chunk of its own: the first paint needs only the frame.
const blank = () => <div className="page" />

export const WorkView = lazyPart(() => import('../features/work/WorkView').then((module) => module.WorkView), blank)
export const TimelinePage = lazyPart(() => import('../features/timeline/TimelinePage').then((module) => module.TimelinePage), blank)
export const ModelsView = lazyPart(() => import('../features/models/ModelsView').then((module) => module.ModelsView), blank)
export const SettingsView = lazyPart(() => import('../features/settings/SettingsView').then((module) => module.SettingsView), blank)
export const WelcomeView = lazyPart(() => import('../features/welcome/WelcomeView').then((module) => module.WelcomeView), blank)
export const RollbackView = lazyPart(() => import('../features/rollback/RollbackView').then((module) => module.RollbackView), blank)
