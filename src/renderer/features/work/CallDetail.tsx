import { useCallback, useMemo, useState } from 'react'
import type { CallView } from '../../../shared/domain/chatView'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { FileText } from '../../ui/FileText'
import { Terminal } from '../../ui/Terminal'
import { useWords } from '../../ui/words'
import { isCommand, outsideName, resultText } from './callWords'
import { CallActions } from './CallActions'
import { Contents } from './Contents'
import { currentHit, useFind } from './findStore'
import { partOf, patternOf } from './findText'
import { StoredText } from './StoredText'
import { outputs, readOutput, resizeCommand, typeIntoCommand } from './workStore'

/** What a call was asked, what it did, what the model was told. `canUndo`: the timeline has what it changed. */
export function CallDetail({ call, canUndo }: { readonly call: CallView; readonly canUndo: boolean }) {
  const say = useWords()
  // Of a command it is not known what it wrote where no snapshot looks: there only what can be taken back is said.
  const isLost = call.effect === 'write' && call.status === 'ok' && call.coverage === 'none'
  return (
    <div className="callbox">
      <dl className="kv">
        <dt>{say('session.arguments')}</dt>
        <dd className="mono quote"><Exact text={call.args ? JSON.stringify(call.args, null, 2) : call.argumentsText} /></dd>
        {call.reason && <><dt>{say('session.reason')}</dt><dd>{say.fact(call.reason)}</dd></>}
        {call.changed.length > 0 && <><dt>{say('session.changed')}</dt><dd className="mono"><FileText text={call.changed.map((file) => file.path).join('\n')} className="wrap-any" /></dd></>}
        {(canUndo || isLost) && <><dt>{say('session.undo-fact')}</dt><dd className={isLost ? 't-bad' : ''}>{say(isLost ? 'session.undo-cannot' : 'session.undo-can')}</dd></>}
        {call.say && <><dt>{say('session.outcome')}</dt><dd>{say.fact(call.say)}</dd></>}
        {call.status === 'unknown' && <><dt /><dd>{say('session.unknown')}</dd></>}
      </dl>
      <CallActions call={call} />
      {isCommand(call) ? <CommandOutput call={call} /> : <StoredText text={call.text === '' ? outputs.read(call.callId) : resultText(call, say)} outputRef={call.outputRef} />}
      <Contents content={call.content} server={call.mcp?.server ?? outsideName(call.outside)} />
    </div>
  )
}

/** What the search shows of a command's output. */
function useFindIn(callId: CallView['callId']): { readonly pattern: RegExp; readonly nth: number } | null {
  const query = useFind((state) => state.query)
  const hit = useFind(currentHit)
  return useMemo(() => {
    const pattern = hit?.isFolded === true && hit.part === partOf.call(callId) ? patternOf(query) : null
    return pattern && hit ? { pattern, nth: hit.nth } : null
  }, [query, hit, callId])
}

function CommandOutput({ call }: { readonly call: CallView }) {
  const say = useWords()
  const [whole, setWhole] = useState<string | null>(null)
  const { callId, outputRef } = call
  const text = resultText(call, say)
  const isRunning = call.progress === 'running'
  const find = useFindIn(callId)
  // What was tried on a copy and then not run has no output of its own.
  const isOwn = call.progress !== 'finished' || call.startedAtMs !== null
  const subscribe = useCallback((onData: (piece: string) => void) => {
    onData(whole ?? ((isOwn && outputs.read(callId)) || text))
    return outputs.onData(callId, onData)
  }, [callId, text, whole, isOwn])
  if (!isRunning && text === '' && (!isOwn || outputs.read(callId) === '')) return null
  return (
    <>
      <div data-esc="own">
        <Terminal
          key={`${isRunning}${whole === null}`} name={isRunning ? say('session.terminal-input') : say('session.terminal-output')} subscribe={subscribe} find={find}
          {...(isRunning ? { onInput: (typed: string) => typeIntoCommand(callId, typed), onResize: (columns: number, rows: number) => resizeCommand(callId, columns, rows) } : {})}
        />
      </div>
      {outputRef !== null && whole === null && !isRunning && <div style={{ padding: '6px 14px' }}><Button size="small" look="quiet" onClick={() => void readOutput(outputRef).then(setWhole)}>{say('session.whole-output')}</Button></div>}
    </>
  )
}
