/**
 * Radicals of the block CJK Radicals Supplement, each before the character that it looks like (after Unicode's
 * EquivalentUnifiedIdeograph.txt). NFKC folds those of the Kangxi block, and of this one but two.
 */
const PAIRS = `
  ⺁厂 ⺈刀 ⺋㔾 ⺎兀 ⺏尣 ⺐尢 ⺒巳 ⺓幺 ⺔彑 ⺖忄 ⺗㣺 ⺘扌 ⺙攵 ⺛旡
  ⺜日 ⺝月 ⺞歺 ⺟母 ⺠民 ⺡氵 ⺢氺 ⺣灬 ⺤爫 ⺥爫 ⺦丬 ⺧牛 ⺨犭 ⺩王
  ⺪疋 ⺫目 ⺬示 ⺭礻 ⺮竹 ⺯糹 ⺰纟 ⺱罓 ⺲罒 ⺶羊 ⺷羊 ⺸羊 ⺹耂 ⺺肀
  ⺻聿 ⺼肉 ⺽臼 ⺾艹 ⺿艹 ⻀艹 ⻁虎 ⻂衤 ⻃覀 ⻄西 ⻅见 ⻆角 ⻇角 ⻈讠
  ⻉贝 ⻋车 ⻌辶 ⻍辶 ⻎辶 ⻏阝 ⻐钅 ⻑長 ⻒镸 ⻓长 ⻔门 ⻕阜 ⻖阝 ⻗雨
  ⻘青 ⻙韦 ⻚页 ⻛风 ⻜飞 ⻝食 ⻟飠 ⻠饣 ⻢马 ⻣骨 ⻤鬼 ⻥鱼 ⻦鸟 ⻧卤
  ⻨麦 ⻩黄 ⻪黾 ⻫斉 ⻬齐 ⻭歯 ⻮齿 ⻯竜 ⻰龙 ⻱龜 ⻲亀
`;

const CHARACTERS = new Map(
  PAIRS.trim()
    .split(/\s+/)
    .map((pair) => [...pair] as [radical: string, character: string]),
);

/** Text whose radicals are the characters that somebody has seen: fonts tell some PDFs of the one for the other. */
export function foldRadicals(text: string): string {
  return text.replace(/[\u2e80-\u2ef3]/g, (radical) => CHARACTERS.get(radical) ?? radical);
}
