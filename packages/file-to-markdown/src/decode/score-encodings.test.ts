import { expect, it } from 'vitest';
import { createDecoder } from './encodings.js';
import { mostPlausibleEncoding } from './score-encodings.js';

/** Encodes by trying all sequences of one and two bytes. */
function encode(text: string, encoding: string): Buffer {
  const wanted = new Set(text);
  const bytesOf = new Map<string, number[]>();
  const learn = (...bytes: number[]) => {
    const character = createDecoder(encoding).decode(Uint8Array.from(bytes));
    if (wanted.has(character) && !bytesOf.has(character)) bytesOf.set(character, bytes);
  };
  for (let byte = 0; byte < 256; byte++) learn(byte);
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let trail = 0x40; trail < 0xff && bytesOf.size < wanted.size; trail++) learn(lead, trail);
  }
  return Buffer.from([...text].flatMap((character) => bytesOf.get(character) ?? []));
}

it.each([
  ['gb18030', '价格：五十元'],
  ['gb18030', '姓名,部门,电话\n张伟,销售部,010-8888'],
  ['gb18030', '中文'],
  ['big5', '會議記錄'],
  ['big5', '姓名,部門,電話\n陳大文,業務部,02-2888'],
  ['shift_jis', '会議の議事録'],
  ['shift_jis', 'ﾃｽﾄ ﾃﾞｰﾀ です'],
  ['euc-jp', '東京都千代田区丸の内一丁目'],
  ['euc-kr', '제1장 총칙\n제1조 이 규정은 회사의 업무에 관한 사항을 정한다.'],
  ['windows-1250', 'Umowa najmu została podpisana w Łodzi.'],
  ['windows-1250', 'Příliš žluťoučký kůň'],
  ['windows-1250', 'Árvíztűrő tükörfúrógép'],
  ['windows-1251', 'Цена: 50 рублей'],
  ['windows-1251', 'ДОГОВОР АРЕНДЫ'],
  ['windows-1252', 'Größe'],
  ['windows-1252', 'Der Preis betrug 15,50 €.'],
  ['windows-1252', 'It’s done'],
  ['windows-1252', 'El niño comió jamón'],
  [
    'windows-1252',
    'não contabilize\ndoação\ncontratação de sucesso\nespañol\nprácticas\ntransacción\núltimo año\ncontraseña',
  ],
  ['windows-1252', 'Straße, schön, über\ncafé, où, très, garçon'],
  ['windows-1253', 'Τιμή: 50 ευρώ'],
  ['windows-1254', 'Fiyat: 50 lira, kargo dahil değildir.'],
  ['windows-1255', 'תל אביב'],
  ['windows-1256', 'القاهرة عاصمة مصر'],
  ['windows-1257', 'Kaina: 50 eurų, įskaitant pristatymą'],
  ['windows-874', 'กรุงเทพมหานคร'],
  ['koi8-r', 'Глава 1. Общие положения'],
  ['iso-8859-2', 'Śląsk, święto, źródło: przesyłkę płaci się już dziś.'],
])('%s: %s', (encoding, text) => {
  const bytes = encode(text, encoding);
  const found = mostPlausibleEncoding(bytes);
  expect({ found, text: createDecoder(found).decode(bytes) }).toEqual({ found: encoding, text });
});
