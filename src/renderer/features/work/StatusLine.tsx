import { Bell, LoaderCircle } from 'lucide-react'
import type { CallView, ChatView } from '../../../shared/domain/chatView'
import { useWords, type Speaker } from '../../ui/words'
import { isCommand, spanText } from './callWords'
import { useNow } from '../../ui/useNow'

type Doing = { readonly code: 'session.doing.waiting' } | { readonly code: 'session.doing.sending' | 'session.doing.command' | 'session.doing.tool' | 'session.doing.thinking' | 'session.doing.writing'; readonly sinceMs: number }

/** What the turn does now, or that its message is on its way. Null when none runs. A card may also ask while a call runs: its server has a question. */
function doingOf(chat: ChatView, isCardShown: boolean, sendingSinceMs: number | null): Doing | null {
  if (!chat.turn) return sendingSinceMs === null ? null : { code: 'session.doing.sending', sinceMs: sendingSinceMs }
  const calls = openCalls(chat)
  if (isCardShown || asksBudget(chat) || calls.some((call) => call.progress === 'waiting')) return { code: 'session.doing.waiting' }
  const running = calls.find((call) => call.progress === 'running')
  if (running) return { code: isCommand(running) ? 'session.doing.command' : 'session.doing.tool', sinceMs: running.startedAtMs ?? chat.turn.startedAtMs }
  if (chat.live && (chat.live.text !== '' || chat.live.growing.length > 0)) return { code: 'session.doing.writing', sinceMs: chat.live.startedAtMs }
  return { code: 'session.doing.thinking', sinceMs: chat.live?.startedAtMs ?? chat.turn.startedAtMs }
}

function asksBudget(chat: ChatView): boolean {
  const last = chat.items.at(-1)
  return last?.kind === 'budget' && last.state === 'asking'
}

function openCalls(chat: ChatView): readonly CallView[] {
  const last = chat.items.at(-1)
  return last?.kind === 'calls' ? last.calls.filter((call) => call.progress !== 'finished') : []
}

/** One line above the box that says the fact; its time ticks for the eye alone. */
export function StatusLine({ chat, isCardShown, sendingSinceMs }: { readonly chat: ChatView; readonly isCardShown: boolean; readonly sendingSinceMs: number | null }) {
  const say = useWords()
  const doing = doingOf(chat, isCardShown, sendingSinceMs)
  return (
    <div className="lane">
      <span className="sr" role="status">{doing && say(`${doing.code}.spoken`)}</span>
      {doing && !(isCardShown && doing.code === 'session.doing.waiting') && (
        <div className="statusline small dim" aria-hidden>
          {doing.code === 'session.doing.waiting' ? <Bell className="i t-warn" size={14} /> : <LoaderCircle className="i spin t-cmd" size={14} />}
          {doing.code === 'session.doing.waiting' ? say(doing.code) : <Ticking doing={doing} say={say} />}
        </div>
      )}
    </div>
  )
}

function Ticking({ doing, say }: { readonly doing: Exclude<Doing, { readonly code: 'session.doing.waiting' }>; readonly say: Speaker }) {
  const seconds = Math.max(0, Math.floor((useNow() - doing.sinceMs) / 1000))
  return <>{say(doing.code, { span: spanText(seconds * 1000, say) })}</>
}
