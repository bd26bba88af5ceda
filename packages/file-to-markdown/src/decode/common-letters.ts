/** Letters other than a to z that a language's words are written with, and how likely the language is. */
export const LATIN_LANGUAGES = [
  ...languages(1, [
    'äöüß',
    'àâæçéèêëîïôœùûüÿ',
    'áéíñóúü',
    'àáâãçéêíóôõú',
    'àèéìòù',
    'àçèéíïòóúü',
    'áèéëíïóöü',
    'äåéö',
    'åæéø',
    'ąćęłńóśźż',
    'áčďéěíňóřšťúůýž',
    'áäčďéíĺľňóôŕšťúýž',
    'áéíóöőúüű',
    'čćđšž',
    'âăîşţ',
    'âçğıîöşüû\u0307',
    'ąčėęįšūųž',
    'āčēģīķļņšūž',
    'äõöšüž',
  ]),
  // Icelandic has letters where Turkish has others.
  ...languages(0.85, ['áæéíðóöúýþ']),
];

function languages(weight: number, alphabets: string[]): { letters: Set<string>; weight: number }[] {
  return alphabets.map((letters) => ({ letters: new Set(letters), weight }));
}

/** The letters that most of a script's texts are made of, in the languages that are likely. */
export const COMMON_LETTERS: Record<string, Set<string>> = {
  Cyrillic: new Set('оеаинтсрвлкмдуі'),
  Greek: new Set('αοιετσνηυρπκςάίό'),
  Hebrew: new Set('יוהלאמרתבשנםד'),
  Arabic: new Set('اليمونرتبةعدسه'),
};

/** Han characters that are often words by themselves, and so say something where no dictionary word is found. */
export const COMMON_HAN = new Set(
  '的一是了在人有我他这不们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之' +
    '都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因' +
    '很给名法间斯知世什两次使身者被高已亲其进此话常与活正感這們來時為說國後會過對學於沒還樣種開總從無現經長兒愛給' +
    '間兩親進話與個个上元月水山本共新东東京市区區公司部門门電电話号號张張李王陳陈刘劉市価円氏田',
);

export const COMMON_HANGUL = new Set(
  '이다는을의에한가하고지로기사리자도은를대어인시있서그해나전정스일들수부과보장아게조구원주상제여라오만성니소비세' +
    '신공관안요경마무위우미문면적민계동방화용까와으며모간존권등었았되된할함합입습실현물발생업회치내년월법료설진명' +
    '교국거중남연선단반심재양영외유음통건학호행개금름남북강산천트드크프레테르번호총칙규항서울별특록의약녕격십',
);
