import type { CosineScale } from '../../../db/schema.js';
import { compareWith, type QuantizedVector, quantize } from './vectors.js';

/** Of five questions, so many find their answer by meaning where a model knows the script. */
const LEAST_FOUND = 4;

/** Five questions in each script with their answers, which share next to no word with them. */
const PROBES: Record<string, { questions: string[]; answers: string[] }> = {
  Latin: {
    questions: [
      'How do I get my money back?',
      'Who treats a sore throat?',
      'Do I need an umbrella tomorrow?',
      'When does the train leave?',
      'I cannot log in any more.',
    ],
    answers: [
      'Refunds are paid out within seven days.',
      'The physician sees patients in the morning.',
      'The weather forecast promises sunshine for the weekend.',
      'The railway timetable lists all departures.',
      'Forgotten passwords are reset by e-mail.',
    ],
  },
  Han: {
    questions: [
      '怎样才能把钱要回来？',
      '嗓子疼该找谁看？',
      '出门要带雨伞吗？',
      '火车几点开？',
      '我登录不了账号。',
    ],
    answers: [
      '退款会在七天内到账。',
      '医生上午接待病人。',
      '天气预报说周末放晴。',
      '铁路时刻表列出全部班次。',
      '忘记密码可以通过邮件重设。',
    ],
  },
  Kana: {
    questions: [
      'お金を返してほしい。',
      'のどが痛いときはどこへ行く？',
      '傘は必要ですか。',
      '電車はいつ出ますか。',
      'ログインできません。',
    ],
    answers: [
      '払い戻しは七日以内に行われます。',
      '医師は午前中に患者を診察します。',
      '天気予報によると週末は晴れます。',
      '鉄道の時刻表を確認してください。',
      '忘れたパスワードはメールで再設定します。',
    ],
  },
  Hangul: {
    questions: [
      '돈을 돌려받고 싶어요.',
      '목이 아프면 누구를 찾아가나요?',
      '우산이 필요할까요?',
      '기차는 언제 떠나요?',
      '로그인이 안 됩니다.',
    ],
    answers: [
      '환불은 칠 일 안에 처리됩니다.',
      '의사는 오전에 환자를 진료합니다.',
      '일기 예보에 따르면 주말은 맑습니다.',
      '철도 시간표에 출발 시각이 있습니다.',
      '잊어버린 비밀번호는 이메일로 재설정합니다.',
    ],
  },
  Cyrillic: {
    questions: [
      'Как вернуть свои деньги?',
      'Кто лечит больное горло?',
      'Нужен ли завтра зонт?',
      'Когда отходит поезд?',
      'Я не могу войти в систему.',
    ],
    answers: [
      'Возмещение выплачивается в течение семи дней.',
      'Врач принимает пациентов утром.',
      'Прогноз погоды обещает солнце на выходных.',
      'Железнодорожное расписание указывает все рейсы.',
      'Забытый пароль сбрасывается по электронной почте.',
    ],
  },
  Greek: {
    questions: [
      'Πώς θα πάρω πίσω τα χρήματά μου;',
      'Ποιος θεραπεύει τον πονόλαιμο;',
      'Θα χρειαστώ ομπρέλα αύριο;',
      'Πότε φεύγει το τρένο;',
      'Δεν μπορώ να συνδεθώ.',
    ],
    answers: [
      'Η επιστροφή ποσών γίνεται μέσα σε επτά ημέρες.',
      'Ο γιατρός εξετάζει ασθενείς το πρωί.',
      'Η πρόγνωση του καιρού υπόσχεται ήλιο.',
      'Το δρομολόγιο του σιδηροδρόμου αναφέρει τις αναχωρήσεις.',
      'Ο ξεχασμένος κωδικός αλλάζει με e-mail.',
    ],
  },
  Arabic: {
    questions: [
      'كيف أسترد نقودي؟',
      'من يعالج التهاب الحلق؟',
      'هل أحتاج إلى مظلة غدًا؟',
      'متى يغادر القطار؟',
      'لا أستطيع تسجيل الدخول.',
    ],
    answers: [
      'تُدفع المبالغ خلال سبعة أيام.',
      'يستقبل الطبيب المرضى صباحًا.',
      'تعد نشرة الطقس بشمس في نهاية الأسبوع.',
      'يسرد جدول السكك الحديدية جميع الرحلات.',
      'تُعاد كلمات المرور المنسية بالبريد الإلكتروني.',
    ],
  },
  Hebrew: {
    questions: [
      'איך אקבל את הכסף שלי בחזרה?',
      'מי מטפל בכאב גרון?',
      'האם צריך מטרייה מחר?',
      'מתי יוצאת הרכבת?',
      'אני לא מצליח להתחבר.',
    ],
    answers: [
      'ההחזר משולם תוך שבעה ימים.',
      'הרופא מקבל חולים בבוקר.',
      'תחזית מזג האוויר מבטיחה שמש בסוף השבוע.',
      'לוח הזמנים של מסילת הברזל מפרט את כל הנסיעות.',
      'סיסמה שנשכחה מאופסת בדואר אלקטרוני.',
    ],
  },
  Devanagari: {
    questions: [
      'मुझे अपने पैसे वापस कैसे मिलेंगे?',
      'गले के दर्द का इलाज कौन करता है?',
      'क्या कल छाता चाहिए?',
      'ट्रेन कब जाती है?',
      'मैं लॉग इन नहीं कर पा रहा हूँ।',
    ],
    answers: [
      'धनवापसी सात दिनों में कर दी जाती है।',
      'चिकित्सक सुबह मरीजों को देखते हैं।',
      'मौसम पूर्वानुमान सप्ताहांत में धूप बताता है।',
      'रेलवे समय सारणी में सभी प्रस्थान हैं।',
      'भूला हुआ पासवर्ड ईमेल से बदला जाता है।',
    ],
  },
  Thai: {
    questions: ['จะขอเงินคืนได้อย่างไร', 'เจ็บคอควรไปหาใคร', 'พรุ่งนี้ต้องใช้ร่มไหม', 'รถไฟออกกี่โมง', 'เข้าสู่ระบบไม่ได้'],
    answers: [
      'ค่าสินค้าจะถูกชดใช้ภายในเจ็ดวัน',
      'แพทย์ตรวจผู้ป่วยตอนเช้า',
      'พยากรณ์อากาศบอกว่าสุดสัปดาห์มีแดด',
      'กำหนดการเดินขบวนอยู่ที่สถานี',
      'รหัสผ่านที่ลืมตั้งใหม่ได้ทางอีเมล',
    ],
  },
};

export interface ScriptProbe {
  script: string;
  questions: string[];
  answers: string[];
}

/** What a model embeds to show which scripts it knows. */
export const scriptProbes: readonly ScriptProbe[] = Object.entries(PROBES).map(([script, texts]) => ({
  script,
  ...texts,
}));

/**
 * Whether a model tells meanings apart in a script: a model that never saw it gives noise.
 *
 * @param questions vectors of a probe's questions, in their order
 * @param answers likewise
 */
export function knowsScript(questions: Float32Array[], answers: Float32Array[]): boolean {
  const quantized = answers.map(quantize);
  const found = questions.filter((question, place) => nearest(question, quantized) === place);
  return found.length >= LEAST_FOUND;
}

/** The mean cosine of questions with their answers, and with those to the other questions. See {@link compareWith}. */
export function measureCosines(
  questions: Float32Array[],
  answers: Float32Array[],
  center: readonly number[],
): CosineScale {
  const quantized = answers.map(quantize);
  const all = questions.map((question) => quantized.map(compareWith(question, center)));
  const mean = (isWanted: (isOwn: boolean) => boolean) => {
    const wanted = all.flatMap((cosines, place) => cosines.filter((_, other) => isWanted(place === other)));
    return wanted.reduce((sum, one) => sum + one, 0) / wanted.length;
  };
  return { related: mean((isOwn) => isOwn), unrelated: mean((isOwn) => !isOwn) };
}

function nearest(question: Float32Array, answers: QuantizedVector[]): number {
  const cosines = answers.map(compareWith(question));
  return cosines.indexOf(Math.max(...cosines));
}

const LETTERS: [script: string, letters: RegExp][] = [
  ['Latin', /\p{Script=Latin}/gu],
  ['Han', /\p{Script=Han}/gu],
  ['Kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['Hangul', /\p{Script=Hangul}/gu],
  ['Cyrillic', /\p{Script=Cyrillic}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Arabic', /\p{Script=Arabic}/gu],
  ['Hebrew', /\p{Script=Hebrew}/gu],
  ['Devanagari', /\p{Script=Devanagari}/gu],
  ['Thai', /\p{Script=Thai}/gu],
];

/** Whether most letters of a text are of scripts that a model knows. */
export function isInScripts(text: string, known: readonly string[]): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const readable = countLetters(text).filter(({ script }) => known.includes(script));
  return 2 * readable.reduce((sum, { count }) => sum + count, 0) >= letters;
}

/** The script that most letters of a text are of, of those given; the first one where it has none of them. */
export function mainScript(text: string, known: readonly string[]): string | undefined {
  const counts = countLetters(text);
  const countOf = (script: string) =>
    counts.filter((one) => one.script === script).reduce((sum, { count }) => sum + count, 0);
  return known.toSorted((a, b) => countOf(b) - countOf(a))[0];
}

/** Japanese is what has kana, whatever else it has. */
function countLetters(text: string): { script: string; count: number }[] {
  const counts = LETTERS.map(([script, pattern]) => ({ script, count: text.match(pattern)?.length ?? 0 }));
  const isJapanese = counts.some(({ script, count }) => script === 'Kana' && count > 0);
  return counts.map(({ script, count }) => ({
    script: isJapanese && script === 'Han' ? 'Kana' : script,
    count,
  }));
}
