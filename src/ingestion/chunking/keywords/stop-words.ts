/** Grammar. */
const ENGLISH =
  'a about above across after afterwards again against ago all almost alone along already also although always am ' +
  'amid among amongst an and another any anybody anyone anything anywhere apart are around as aside at away back be ' +
  'because been before behind being below beneath beside besides between beyond both but by can cannot could despite ' +
  'did do does doing done down during each either else elsewhere enough etc even ever every everybody everyone ' +
  'everything everywhere except few fewer first for forth from further furthermore had half has have having he hence ' +
  'her here hereby herein hereof hereto hers herself him himself his how however i if in indeed inside instead into is ' +
  'it its itself just last later least less lest like many may maybe me meanwhile might mine more moreover most much ' +
  'must my myself near nearby neither never nevertheless next no nobody none nonetheless nor not nothing now nowhere of ' +
  'off often on once one ones only onto or other others otherwise ought our ours ourselves out outside over own per ' +
  'perhaps quite rather round same second several shall she should since so some somebody somehow someone something ' +
  'sometimes somewhat somewhere soon still such than that the their theirs them themselves then thence there thereby ' +
  'therefore therein thereof thereto these they third this those though through throughout thus till to together too ' +
  'toward towards twice under underneath unless unlike until up upon us very via was we well were what whatever when ' +
  'whenever where whereas whereby wherein wherever whether which whichever while who whoever whole whom whose why will ' +
  'with within without would yes yet you your yours yourself yourselves zero two three four five six seven eight nine ' +
  'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty hundred thousand million billion dozen fourth fifth ' +
  'january february march april june july august september october november december jan feb mar apr jun jul aug sep ' +
  'sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun ' +
  'mr mrs ms dr prof sir madam vol pp eds ed et al ie eg cf vs ibid inc ltd co corp fig eq ref refs no nos don ll ve ' +
  'http https www html com org net href src amp nbsp quot lt gt br div span img px';

/** Words so common that they tell texts apart in no collection, whatever these are about. */
const EVERYDAY =
  'able accept accepted accord according account accounts achieve achieved act action actual add added addition ' +
  'additional additionally adequate affect affected age aim aimed allow allowed allowing allows alternative amount ' +
  'amounts answer answered appear appeared appearing appears applicable applied applies apply appropriate approximate ' +
  'area areas arise arm arms arrive arrived ask asked asking aspect aspects assess assessed assume assumed attempt ' +
  'attempted available average aware bad base based bases basic basis bear became become becomes becoming began begin ' +
  'beginning begins begun behave believe believed belong belongs best better big bit body bore bottom bring bringing ' +
  'brings broad brought build built call called calling calls came care carefully carried carry carrying case cases ' +
  'cause caused causes causing certain change changed changes changing chapter check choice choose chose chosen clear ' +
  'close closed closely come comes coming common commonly compare compared comparing comparison complete completed ' +
  'complex concern concerned concerning conclude concluded conclusion conclusions condition conditions conduct conducted ' +
  'consider considerable consideration considered considering consist consisted consisting consists contain contained ' +
  'containing contains context continue continued continues continuing contrast contribute copy correct correspond ' +
  'corresponding count couple course cover create created creates creating cried current currently cut daily data date ' +
  'day days deal decide decided decrease decreased decreases deep define defined defines definition degree degrees ' +
  'demonstrate demonstrated demonstrates depend dependent depending depends derive derived describe described describes ' +
  'describing description designed desire desired detail detailed details determine determined determines determining ' +
  'develop developed developing development develops difference differences different differ differs difficult direct ' +
  'directed direction discuss discussed discussion distinct door doubt drawn drew due early easily easy effect effective ' +
  'effectively effects effort efforts element elements employ employed enable enabled enables encounter end ended ends ' +
  'enhance enhanced ensure enter entered entire entirely equal equally especially essential essentially establish ' +
  'established evaluate evaluated evening event events evident evidence exact exactly examine examined example examples ' +
  'exception exclaimed exhibit exist existed existing exists expect expected experience explain explained express ' +
  'expressed expression extend extended extent eye eyes face faces fact factor factors facts fail failed fairly fall far ' +
  'feature features feel feeling fell felt field fig figure figures final finally find finding findings finds fine finish ' +
  'finished fit five follow followed following follows foot force form formed former forms forward found free frequent ' +
  'frequently friend full fully function functions gain gave general generally generate generated get gets getting give ' +
  'given gives giving glance go goes going gone good got gotten great greater greatest greatly group groups grow growing ' +
  'hand hands happen happened happens happy hard hardly head hear heard heart held help helped helps hence high higher ' +
  'highest highly hold holding hope hour hours house idea ideas identified identify illustrate impact important imply ' +
  'implies improve improved improving include included includes including increase increased increases increasing ' +
  'indicate indicated indicates indicating individual individuals influence information initial instance interest ' +
  'interested interesting introduce introduced introduction investigate investigated investigation involve involved ' +
  'involves involving issue issues item items join keep keeping kept key kind kinds knew know knowing known knows lack ' +
  'lady large largely larger largest late latter laid lay lead leading leads learn leave leaves leaving led left length ' +
  'lesser let level levels lie lies life light likely likewise limit limited line lines list listed little live lived ' +
  'long longer look looked looking looks lost lot lots low lower made main mainly maintain maintained major majority make ' +
  'makes making man manner mark marked material matter maximum mean meaning means measure measured measurement ' +
  'measurements meet men mention mentioned met method methods middle mind minimum minute minutes moment month months ' +
  'morning move moved moving multiple name named namely names nature necessary need needed needs new night normal ' +
  'normally notably note noted notes notice noticed number numbers numerous object observe observed obtain obtained ' +
  'obvious occur occurred occurring occurs offer offered old open opened opposite order ordinary original outcome ' +
  'outcomes overall page pages pair paper paragraph part partially particular particularly parts party pass passed past ' +
  'people percent perform performed period person persons phrase piece pieces place placed places play please pleasure ' +
  'point pointed points poor position possess possible possibly potential potentially practical practice prepared ' +
  'presence present presented presents pretty prevent previous previously primarily primary principal prior probable ' +
  'probably problem problems procedure proceed process produce produced produces producing product proper properly ' +
  'properties property propose proposed prove proved provide provided provides providing purpose purposes put question ' +
  'questions quick quickly raise raised ran range rapid rapidly rate rates rather reach reached read reading ready real ' +
  'really reason reasons receive received recent recently recognize reduce reduced reduces reducing reduction refer ' +
  'reference references referred refers regard regarded regarding regular relate related relation relationship relative ' +
  'relatively remain remained remaining remains repeat repeated replied reply report reported reports represent ' +
  'represented represents require required requirement requirements requires respect respectively respond response ' +
  'responses rest result resulted resulting results return returned reveal revealed right rise role room rose run running ' +
  'said sample samples sat satisfy saw say saying says scale section sections see seeing seek seem seemed seems seen ' +
  'select selected send sense sent separate separately serious serve served set sets setting seven shape share short ' +
  'shortly show showed showing shown shows side sides significance significant significantly similar similarly simple ' +
  'simply single sit site sites sitting situation size slight slightly slow slowly small smaller smile solution solutions ' +
  'solve sort sought sound source sources speak speaking special specific specifically specified specify stage stand ' +
  'standing start started starting starts state stated statement states stay step steps stood stop stopped strong strongly ' +
  'study studied studies studying subject subjects subsequent subsequently substantial succeed successful successfully ' +
  'sudden suddenly sufficient sufficiently suggest suggested suggesting suggests suitable summary support supported ' +
  'supports suppose supposed sure surprise table tables take taken takes taking talk talked talking technique techniques ' +
  'tell telling term terms test tested tests thank themselves thing things think thinking thought thoughts time times ' +
  'today told tone took top topic total touch treat treated true try trying turn turned turning turns type types typical ' +
  'typically unable understand understanding understood unit use used useful user uses using usual usually utilize ' +
  'utilized valid value values variety various vary varying version view voice wait waiting walk walked want wanted wants ' +
  'way ways week weeks went wide widely wish wished woman word words work worked working works world worse worst worth write writing ' +
  'written wrote wrong year years yesterday young ' +
  'novel local global recent lowest latest comparable latter former knowledge literature reader worker workers statement ' +
  'comment comments progress behalf manner entirety thereafter vicinity assist thoroughly profound';

/** Frequent words of other languages, where they are no words of English that tell something. */
const OTHER =
  'el la los las un una unos unas de del al y o que en por para se su sus lo le les es son como más pero sin sobre este ' +
  'esta estos estas ese esa entre cuando muy ya también fue ha han ser está están todo toda todos todas tiene cada donde ' +
  'der das den dem des ein eine einer eines einem einen und oder nicht mit von zu zum zur auf für ist sind wird werden ' +
  'wurde wurden im am aus bei nach sich auch als wie durch über unter vor dass daß er sie es ihr ihre sein seine hat ' +
  'haben kann können noch nur wenn aber alle diese dieser dieses jeder jede keine kein sowie ' +
  'le la les une du et ou qui ne pas dans ce cette ces il elle ils elles nous vous leur leurs sur avec par plus est sont ' +
  'été être avoir fait aux mais comme tout toute tous toutes sans aussi dont où ses mes deux ' +
  'il lo gli i una dei delle della dello degli nel nella che non con per più è sono come anche ma di da si ' +
  'os das dos uma não com ao aos às mais foi pelo pela seu sua ou são de het een van en dat niet zijn wordt voor ook ' +
  'и в не на я что он с как это по но из у за от так же для или было быть все его ее они';

const CHINESE =
  '的 了 是 在 和 与 或 及 吗 呢 吧 啊 为 有 被 由 于 从 到 对 个 这 那 之 以 等 其 他 她 它 们 谁 几 也 就 都 而 但 并 ' +
  '不 没 很 更 最 将 把 让 使 给 向 所 能 会 可 要 我 你 您 者 则 又 再 还 只 已 我们 你们 他们 她们 它们 咱们 大家 自己 ' +
  '自身 本人 他人 别人 人们 某些 有些 有的 什么 哪些 哪个 哪里 怎么 怎样 怎么样 如何 多少 为什么 是否 没有 以及 一个 ' +
  '一些 一种 一样 一般 一直 一起 一定 一切 一方 一次 一下 一点 一旦 一名 一位 这个 这些 这种 这里 这样 这么 这次 此外 ' +
  '那个 那些 那样 那么 那里 那时 可以 可能 能够 能否 需要 必须 必需 必要 应该 应当 应 须 不得 不能 不会 不可 不要 不同 ' +
  '不是 不少 不过 不仅 不但 不再 不足 不如 无法 无 未 因为 所以 因此 因而 因 由于 由此 如果 假如 若 倘若 但是 可是 然而 ' +
  '虽然 虽 尽管 即使 即便 而且 而是 并且 并不 并非 并没有 或者 或是 还是 还有 还要 就是 就会 也是 也有 都是 只有 只要 ' +
  '只能 只是 才能 以后 以前 以来 以上 以下 以内 以外 以至 之后 之前 之间 之一 之中 之内 之外 之下 之上 此后 此前 其后 ' +
  '随后 后来 然后 最后 最终 首先 其次 当时 同时 其时 此时 时候 时 平时 目前 现时 现在 如今 今天 今日 昨天 明天 今年 ' +
  '去年 当年 当中 当天 通过 经过 根据 依照 按照 依据 关于 对于 至于 有关 相关 其中 其他 其它 其余 其 另外 另 另一 ' +
  '各 各个 各种 各自 各类 每 每个 每年 每天 每次 某 某个 该 此 本 诸 全 全部 所有 整个 任何 许多 很多 大多 大多数 大部分 ' +
  '部分 多数 多个 多种 少数 几乎 大约 约 左右 非常 十分 相当 比较 较 较为 极 极为 更加 特别 尤其 甚至 越来越 过于 已经 ' +
  '已 曾 曾经 正在 刚刚 将会 即将 仍 仍然 依然 仍旧 再次 再度 又 经常 常 常常 通常 往往 有时 偶尔 总是 始终 逐渐 渐渐 ' +
  '逐步 立即 立刻 马上 突然 终于 直接 直到 直至 从而 于是 随着 随 例如 比如 譬如 诸如 如 如下 如此 例 即 亦 均 皆 乃 ' +
  '且 若 与其 及其 以此 为此 对此 从此 除 除了 除外 包括 包含 包 属于 作为 成为 称为 称 称作 叫 叫做 名为 认为 以为 视为 ' +
  '作 为了 为主 表示 表明 显示 指 指出 说 说明 说道 提到 提出 提供 进行 进入 开始 结束 出现 发生 产生 存在 具有 拥有 带有 ' +
  '获得 取得 得到 得以 受到 遭到 得 使得 使用 利用 采用 运用 应用 用 用于 用来 位于 处于 来自 来 去 到达 达到 达 ' +
  '导致 造成 引起 形成 构成 组成 建立 成立 发展 增加 减少 提高 降低 加强 改变 变成 变为 继续 保持 负责 参加 参与 加入 ' +
  '完成 实现 实施 举行 举办 推出 发布 宣布 决定 确定 规定 要求 希望 知道 了解 发现 看到 看 想 做 作出 做出 给予 给 ' +
  '拿 放 找 走 起 起来 出来 出去 下来 下去 上来 过来 过去 回来 进来 上 下 中 内 外 前 后 左 右 里 间 旁 上面 下面 里面 ' +
  '外面 前面 后面 方面 方式 情况 问题 原因 结果 时间 地方 地点 东西 事情 事 人 人员 名 位 种 类 次 年 月 日 时代 时期 ' +
  '期间 年代 年间 世纪 小时 分钟 星期 上午 下午 晚上 早上 第一 第二 第三 首次 首 主要 重要 基本 一致 共同 共 总 总共 ' +
  '合计 单独 分别 互相 相互 彼此 新 旧 大 小 多 少 高 低 长 短 好 坏 早 晚 快 慢 巨大 较大 较小 最大 最小 最高 最低 最多 ' +
  '最少 最早 最好 良好 容易 困难 简单 复杂 明显 显著 显然 当然 其实 实际 实际上 事实上 确实 真 真正 完全 仅 仅仅 只不过 ' +
  '至少 至今 至 起 止 请问 谢谢 请 是不是 有没有 能不能 可不可以 怎么办 属 于此 两 双方 对方 两个 两者 二者 三个 ' +
  '有着 有所 本来 原来 原本 原 前者 后者 或许 也许 恐怕 似乎 好像 看来 据说 据 所谓 以便 以免 否则 不管 无论 不论 ' +
  '反而 相反 相对 相比 比 对应 依 依法 予以 加以 给以 应予 可予 不予 予 之 其一 其二 一方面 另一方面 总之 综上 截至 ' +
  '截止 以来 迄今 左 右 处 处在 上述 下列 下述 前款 本条 本款 本法 本例 规定的 情形 条 款 项 第 地 得 着 稍 令 出 呈 入 往 带 讲 听 过 开 当 成 非 便 故 才 刚 先 ' +
  '曾 即 么 们 会 需 应 像 似 跟 同 并 比 按 自 及 甚 颇 愈 需要 出自 代表 连接 主张 请求 提起 持有 目前为止 ' +
  '中的 内向 不存在 缺乏 致使 影响 处理 认定 从事 采取 有权 提交 承担 负有 享有 仍在 所在 现有 到场 中华人民 共和国 中华人民共和国 ' +
  '也可以 不负 其为 不在此限 不履行 本章 参照 本身 内容 符合';

/** Words that are never keywords. */
export const stopWords: ReadonlySet<string> = new Set(
  `${ENGLISH} ${EVERYDAY} ${OTHER} ${CHINESE}`.split(' '),
);
