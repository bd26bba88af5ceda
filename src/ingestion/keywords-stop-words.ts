const ENGLISH =
  'a about above after again against all almost also although always am among an and another any are around as at ' +
  'away back be because been before being below between both but by came can cannot come could did do does doing ' +
  'done down during each either else enough etc even ever every few first for from further gave get give given go ' +
  'goes going gone got had has have having he her here hers herself him himself his how however i if in into is it ' +
  'its itself just kept know known last least less let like made make makes making many may me might mine more most ' +
  'much must my myself near need never new next no nor not nothing now of off often on once one only onto or other ' +
  'others our ours out over own part per perhaps please put quite rather really said same saw say says second see ' +
  'seem seemed seen several shall she should show shown since so some something soon still such take taken than ' +
  'that the their theirs them then there therefore these they thing things this those though three through thus to ' +
  'together too took toward towards two under until up upon us use used uses using very want was way we well went ' +
  'were what whatever when where whether which while who whole whom whose why will with within without would yes ' +
  'yet you your yours yourself don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn ll ve';
const CHINESE =
  '的 了 是 在 和 与 或 及 吗 呢 吧 啊 为 有 被 由 于 从 到 对 个 这 那 之 以 等 其 他 她 它 们 谁 几 也 就 都 而 但 并 ' +
  '不 没 很 更 最 将 把 让 使 给 向 所 能 会 可 要 我 你 您 者 则 又 再 还 只 已 我们 你们 他们 她们 它们 自己 什么 哪些 ' +
  '哪个 哪里 怎么 怎样 如何 多少 为什么 是否 没有 以及 一个 一些 一种 这个 这些 这种 那个 那些 这样 那样 可以 可能 能够 ' +
  '需要 必须 应该 应当 因为 所以 因此 如果 但是 然而 虽然 而且 并且 或者 以后 以前 之后 之前 通过 根据 按照 关于 对于 ' +
  '由于 进行 其中 其他 已经 正在 还是 就是 不是 也是 都是 只有 只要 非常 比较 同时 以下 以上 第一 第二 第三 一下 请问';

/** Words that are never keywords: grammar, and words so common that they tell texts apart in no collection. */
export const stopWords: ReadonlySet<string> = new Set(`${ENGLISH} ${CHINESE}`.split(' '));
