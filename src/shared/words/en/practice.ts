/** What the scripted tutor says. Names of buttons are values, so that they are always the ones on screen. */
export const practice = {
  'practice.hello': `I am **not a model**. I am a scripted tutor that comes with Countersign: no key, no network, and nothing you type leaves this computer. What happens here is real, though: real files, a real command, a real record.

This folder is a small tea shop. Its total is wrong as soon as somebody buys two of the same tea. First I look for the place. Searching only reads, so you are not asked.`,
  'practice.read': 'Found: `src/price.js` adds up an order. I read the file before I change it; what I have not read, I may not change.',
  'practice.edit': `Here is the fault: every line adds its price once, and \`count\` is never looked at. I propose to change one line.

**Now it is your turn.** The card shows the change before anything is written. **{allow}** writes it, **{deny}** does not, and you may also change it yourself. Until you answer, nothing happens.`,
  'practice.run': 'Written, with a snapshot before and one after it. Next I want to run the checks: `node test.js`. A command can do whatever you can, so it asks as well, and the card shows exactly what will run. **{allow}** runs it.',
  'practice.done': `All four checks pass. Nothing was written or run before you said so, and every row above keeps what was proposed, what you decided and what came of it.

{undo}`,
  'practice.undo': `Now take it back:

1. Open **{timeline}**.
2. Choose the change of \`src/price.js\` and press **{undoCall}**. Or choose an earlier moment and press **{backToHere}**.
3. You see a plan of what will be written. Its last button does it.
4. **{undoRollback}** takes even that back.

Then write me something, and I look at the file again.`,
  'practice.check': 'I look at the file again.',
  'practice.check-back': `The fault is back in \`src/price.js\`: your rollback worked, and it is on record like everything else. **{undoRollback}** would bring the fix again.

{more}`,
  'practice.check-still': `The fix is still in \`src/price.js\`. To take it back, open **{timeline}**, choose the change and press **{undoCall}**. Then write to me again.

{more}`,
  'practice.more': `That is all I know. Write **again** and the walk starts over.

{connect}`,
  'practice.connect': 'For real work, connect a real model: open **{models}** and give a provider its address, key and model. A model that runs on this computer with Ollama needs no key.',
  'practice.connect-intro': 'I am a scripted tutor, not a model: I only know the walk through this project.\n\n{connect}',
  'practice.denied-write': `You said no, so **nothing was written**. All that I was told is: “{told}” A real model would now look for another way; it cannot do behind your back what you denied, and the record keeps your answer.

{goOn}`,
  'practice.denied-run': `You said no, so **nothing was run**. All that I was told is: “{told}” The change of before is still there.

{goOn}`,
  'practice.denied-read': `You said no, so I have read nothing. All that I was told is: “{told}”

{goOn}`,
  'practice.denied-policy': `This was denied by policy, and nobody can approve that: “{told}” In the practice project this should not happen.

{goOn}`,
  'practice.skipped': `You skipped this call: it did not happen, and a real model would go on without it.

{goOn}`,
  'practice.stopped': `You stopped me there. What was finished is kept, what was not finished is not repeated by itself.

{goOn}`,
  'practice.failed': `That did not work. I was told: “{told}”

{goOn}`,
  'practice.go-on': 'Write **go on** and I propose it again, or **again** to start over.',
  'practice.not-offered': 'At the present level of asking the tool `{tool}` is not offered to me at all: the session is read-only. Choose another level, then write **go on**.',
  'practice.elsewhere': `The file I know is not here, so this is not the practice project, and I can work in no other. **{startPractice}** on the first page opens it.

{connect}`,
  'practice.already': `The fault is mended already in this copy. Take it back in **{timeline}** to see the walk again, or press **{startPractice}** on the first page for a fresh copy.

{connect}`,
  'practice.no-node': `The program \`node\` was not found on this computer, so the checks could not run. For the walk that does no harm: you have seen the card, and the row says honestly what happened.

{undo}`,
  'practice.checks-failed': `The checks do not all pass. Open the row to see which; if you changed my proposal, that may be why.

{goOn}`,
  'practice.unknown': `I am only a scripted tutor and cannot answer that. We stand in the middle of the walk. {goOn}

{connect}`,
} as const
