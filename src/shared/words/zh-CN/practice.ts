import type { practice as english } from '../en/practice'

export const practice: Readonly<Record<keyof typeof english, string>> = {
  'practice.hello': `我**不是模型**，而是副署自带的脚本导师：不需要密钥，不联网，你输入的内容不会离开这台电脑。不过这里发生的一切都是真的：真实的文件、真实的命令、真实的记录。

这个文件夹是一家小茶店。同一种茶买两份时，总价就不对了。我先找到出错的地方。搜索只是读取，所以不会问你。`,
  'practice.read': '找到了：`src/price.js` 负责计算总价。改动之前我先读取它；没有读过的文件，我不能改。',
  'practice.edit': `问题在这里：每一行只加一次单价，从不看 \`count\`。我提议改一行。

**现在轮到你。** 写入之前，卡片会先给你看改动。**{allow}** 会写入，**{deny}** 不会写入，你也可以自己修改。在你回答之前，什么都不会发生。`,
  'practice.run': '已写入，前后各有一个快照。接下来我想运行检查：`node test.js`。命令能做你能做的一切，所以同样要问你，卡片会写明将要运行的内容。点 **{allow}** 就会运行。',
  'practice.done': `四项检查全部通过。在你同意之前，没有写入也没有运行任何东西；上面每一行都记着提议了什么、你怎样决定、结果如何。

{undo}`,
  'practice.undo': `现在把它收回：

1. 打开 **{timeline}**。
2. 选中 \`src/price.js\` 的改动，点 **{undoCall}**。也可以选更早的时点，点 **{backToHere}**。
3. 先看到一份计划，写明将写入什么。点最后的按钮才会执行。
4. **{undoRollback}** 连回滚也能收回。

然后随便给我写点什么，我会再看一次文件。`,
  'practice.check': '我再看一次文件。',
  'practice.check-back': `\`src/price.js\` 又回到了有问题的样子：你的回滚成功了，并且和其他事情一样留有记录。**{undoRollback}** 可以让修复回来。

{more}`,
  'practice.check-still': `修复仍在 \`src/price.js\` 里。要收回它，请打开 **{timeline}**，选中这次改动，点 **{undoCall}**。然后再给我写一句。

{more}`,
  'practice.more': `我会的就是这些。回复 **再来** 可以从头再走一遍。

{connect}`,
  'practice.connect': '要做真正的工作，请连接真正的模型：打开 **{models}**，填写供应商的地址、密钥和模型。用 Ollama 在本机运行的模型不需要密钥。',
  'practice.connect-intro': '我是脚本导师，不是模型，只会带你走完这个项目的练习。\n\n{connect}',
  'practice.denied-write': `你拒绝了，所以**没有写入任何内容**。我得知的只有：“{told}”真正的模型这时会另想办法；你拒绝的事，它无法背着你去做，你的回答也留在记录里。

{goOn}`,
  'practice.denied-run': `你拒绝了，所以**没有运行任何命令**。我得知的只有：“{told}”之前的改动仍在。

{goOn}`,
  'practice.denied-read': `你拒绝了，所以我什么都没有读取。我得知的只有：“{told}”

{goOn}`,
  'practice.denied-policy': `这是策略拒绝的，任何人都不能批准：“{told}”在练习项目里不应出现这种情况。

{goOn}`,
  'practice.skipped': `你跳过了这次调用：它没有发生，真正的模型会不做这一步继续。

{goOn}`,
  'practice.stopped': `你让我停在了这里。已完成的都保留，未完成的不会自动重做。

{goOn}`,
  'practice.failed': `没有成功。我得知的是：“{told}”

{goOn}`,
  'practice.go-on': '回复 **继续**，我会再提议一次；回复 **再来** 可从头开始。',
  'practice.not-offered': '在目前的询问级别下，根本不会向我提供工具 `{tool}`：这个会话是只读的。请选择其他级别，然后回复 **继续**。',
  'practice.elsewhere': `这里没有我认识的文件，所以这不是练习项目，而我只会在练习项目里工作。首页的 **{startPractice}** 可以打开它。

{connect}`,
  'practice.already': `这一份里的问题已经修好了。在 **{timeline}** 里收回修复就能再走一遍，或在首页点 **{startPractice}** 得到一份新的。

{connect}`,
  'practice.no-node': `这台电脑上找不到程序 \`node\`，所以检查没有运行。这不影响练习：你已经看到了卡片，那一行也如实写明了发生的事。

{undo}`,
  'practice.checks-failed': `检查没有全部通过。打开那一行可以看到是哪一项；如果你改过我的提议，原因可能就在那里。

{goOn}`,
  'practice.unknown': `我只是脚本导师，回答不了这个问题。练习还没有走完。{goOn}

{connect}`,
}
