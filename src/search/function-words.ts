/** Words that carry grammar rather than meaning: articles, prepositions, pronouns, question words. */
export const functionWords = {
  english: (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they ' +
    'this to was will with what which who whom whose when where why how do does did has have had can could should ' +
    'would may might must am were been being i you he she we his her its our your my me him them us from about than'
  ).split(' '),
  chinese: (
    '的 了 是 在 和 与 或 及 吗 呢 吧 啊 为 有 被 由 于 从 到 对 个 这 那 之 以 等 其 他 她 它 们 谁 几 ' +
    '什么 哪些 哪个 哪里 怎么 怎样 如何 多少 为什么 是否 有没 没有 以及 请问 一下'
  ).split(' '),
};
