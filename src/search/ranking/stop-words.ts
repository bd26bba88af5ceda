/** Words that carry grammar rather than meaning: articles, prepositions, pronouns, question words. */
export const stopWords = {
  english: (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they ' +
    'this to was will with what which who whom whose when where why how do does did has have had can could should ' +
    'would may might must am were been being i you he we she his her its our your my me him them us from about than ' +
    'having doing cannot ought nor because while until so too very just only own same other any some all both each ' +
    'few more most those here once again further between through during before after above below up down over under ' +
    'out off against hers ours yours theirs myself yourself himself herself itself ourselves themselves ' +
    'anyone someone everyone anything something everything please'
  ).split(' '),
  chinese: (
    '的 了 是 在 和 与 或 及 吗 呢 吧 啊 为 有 被 由 于 从 到 对 个 这 那 之 以 等 其 他 她 它 们 谁 几 哪 ' +
    '什么 甚么 什么样 什么时候 什么地方 哪些 哪个 哪里 哪儿 哪位 哪种 哪一 怎么 怎么样 怎么办 怎样 如何 任何 ' +
    '何时 何地 何处 为何 几个 多少 多久 为什么 是否 能否 可否 是不是 能不能 会不会 可不可以 有没 有没有 没有 ' +
    '以及 请问 一下'
  ).split(' '),
};
