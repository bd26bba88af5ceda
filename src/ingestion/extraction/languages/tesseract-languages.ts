/** What Tesseract calls the languages that have one model: by their code of ISO 639-1, or 639-3 where they have none. */
const NAMES =
  'af=afr am=amh ar=ara as=asm az=aze be=bel bg=bul bn=ben bo=bod br=bre bs=bos ca=cat ceb=ceb chr=chr co=cos cs=ces cy=cym da=dan de=deu dv=div dz=dzo el=ell en=eng eo=epo es=spa et=est eu=eus fa=fas fi=fin fil=fil fo=fao fr=fra fy=fry ga=gle gd=gla gl=glg gu=guj he=heb hi=hin hr=hrv ht=hat hu=hun hy=hye id=ind is=isl it=ita iu=iku ja=jpn jv=jav ka=kat kk=kaz km=khm kn=kan ko=kor ku=kmr ky=kir la=lat lb=ltz lo=lao lt=lit lv=lav mi=mri mk=mkd ml=mal mn=mon mr=mar ms=msa mt=mlt my=mya nb=nor ne=nep nl=nld nn=nor no=nor oc=oci or=ori pa=pan pl=pol ps=pus pt=por qu=que ro=ron ru=rus sa=san sd=snd si=sin sk=slk sl=slv sq=sqi sr=srp su=sun sv=swe sw=swa syr=syr ta=tam te=tel tg=tgk th=tha ti=tir to=ton tr=tur tt=tat ug=uig uk=ukr ur=urd uz=uzb vi=vie yi=yid yo=yor';

const byLanguage = new Map(NAMES.split(' ').map((pair) => pair.split('=') as [string, string]));

/** Languages that have a model for each of their scripts. */
const byScript: Record<string, string> = {
  'zh-Hans': 'chi_sim',
  'zh-Hant': 'chi_tra',
  'sr-Latn': 'srp_latn',
  'az-Cyrl': 'aze_cyrl',
  'uz-Cyrl': 'uzb_cyrl',
};

/**
 * What Tesseract calls a language.
 *
 * @param tag of BCP 47, such as `de`, `zh-Hans` or `zh-TW`
 * @returns undefined where it is no tag, or Tesseract has no such language
 */
export function toTesseractLanguage(tag: string): string | undefined {
  const locale = parseTag(tag);
  if (!locale) return undefined;
  const { language, script } = locale.maximize();
  return byScript[`${language}-${script}`] ?? byLanguage.get(language);
}

function parseTag(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}
