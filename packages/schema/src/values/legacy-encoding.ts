/**
 * Guesses the encoding of a text that is not Unicode, by how common the characters are that it decodes to. Statistics of letter sequences (`chardet`)
 * need more text than a cell or a note has; they decide where the letters of two encodings are equally common.
 */
import { analyse } from 'chardet';

/** Characters that are a large part of any text of the language. */
const frequentSimplified = new Set(
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日者意无力与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应向头文体政美相见被利什二等产或新己制身果加西月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直资命山金指许统区保至队形社便空决治展马科司五基书非则听白却界达光放强即难且权思王完设式色路记南品住告类求据程北边张该交规万取格望术领共确传师观清今切院让识带导争运京州图馆书店客户名称地址电话',
);
const frequentTraditional = new Set(
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己制身果加西月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直資命山金指許統區保至隊形社便空決治展馬科司五基書非則聽白卻界達光放強即難且權思王完設式色路記南品住告類求據程北邊張該交規萬取格望術領共確傳師觀清今切院讓識帶導爭運京州圖館店客戶名稱地址電話臺灣',
);
const frequentKorean = new Set(
  '이다는에을의가고로하지도은를한서사기인어자나리그대아시라해수일부정만보있들것으장상전제스주구원성여과조안오게관공경동유학국신적위당우회계용통치방생소화면연문진무업중결운내분법민실',
);

const frequentKanji = new Set(
  '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有口過局少放税検藤町常校料沢状工建語球営空職証土与急止送援供可役構木割聞身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態導備宅害配副算視条独警宮究育席輸訪楽起万着店述残想線率病農州武声質念待試族象銀域助労例衛然早張映限親額監環験追審商葉義伝働形景落担好退準賀訴辺造英株頭技低毎医復仕去姿味負韓渡失移差衆個門写評課末守若極種美岡影命含福蔵量望松非佐核観察整段横融型白深字答夜製票況音申様財港識注呼達太郎佐鈴阪',
);

const kana = /[\u3041-\u30ff]/;
const punctuation = /[\u3001-\u3003\u3008-\u3011\uff01-\uff5e]/;

/** How common a character is, from 0 to 1, with the bytes that it was decoded from. */
type Commonness = (character: string, first: number, second: number) => number;

interface MultiByteEncoding {
  readonly name: string;
  /** The number of bytes of a character that begins with these two. */
  readonly width: (first: number, second: number) => number;
  readonly commonness: Commonness;
}

const frequent = 1;
const usual = 0.6;
const rare = 0.1;

const isIn = (byte: number, first: number, last: number) => byte >= first && byte <= last;

/** The encodings of East Asia. Their most common characters are in the lower rows. */
const multiByteEncodings: readonly MultiByteEncoding[] = [
  {
    name: 'shift_jis',
    width: (first) => (isIn(first, 0xa1, 0xdf) ? 1 : 2),
    commonness: (character, first) =>
      isIn(first, 0xa1, 0xdf) ? rare : ofJapanese(character, isIn(first, 0x88, 0x97)),
  },
  {
    name: 'gb18030',
    width: (_, second) => (isIn(second, 0x30, 0x39) ? 4 : 2),
    commonness: (character, first, second) => {
      if (kana.test(character)) return rare;
      if (frequentSimplified.has(character)) return frequent;
      return second >= 0xa1 && (isIn(first, 0xb0, 0xd7) || punctuation.test(character)) ? usual : rare;
    },
  },
  {
    name: 'big5',
    width: () => 2,
    commonness: (character, first) => {
      if (frequentTraditional.has(character)) return frequent;
      return isIn(first, 0xa4, 0xc6) || punctuation.test(character) ? usual : rare;
    },
  },
  {
    name: 'euc-kr',
    width: () => 2,
    commonness: (character, first, second) => {
      if (frequentKorean.has(character)) return frequent;
      return second >= 0xa1 && (isIn(first, 0xb0, 0xc8) || punctuation.test(character)) ? usual : rare;
    },
  },
  {
    name: 'euc-jp',
    width: (first) => (first === 0x8f ? 3 : 2),
    commonness: (character, first) =>
      first === 0x8e ? rare : ofJapanese(character, isIn(first, 0xb0, 0xcf)),
  },
];

function ofJapanese(character: string, isUsual: boolean): number {
  if (kana.test(character) || frequentKanji.has(character)) return frequent;
  return isUsual || punctuation.test(character) ? usual : rare;
}

/** Latin alphabets, with the letters beyond ASCII that their languages use. The first of equally good ones is taken. */
const latinEncodings: readonly (readonly [name: string, letters: string])[] = [
  ['windows-1252', 'äöüßéèêëàâçîïôûœñáíóúãõåæøÄÖÜÉÈÀÇÑÁÍÓÚÅÆØ’‘“”„–—…€«»°§'],
  ['windows-1250', 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻčďěňřšťůžáéíúýČĎŇŘŠŤŽőűŐŰöüäßđşţăâî„”“’–…€'],
  ['iso-8859-2', 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻčďěňřšťůžáéíúýČĎŇŘŠŤŽőűŐŰöüäßđşţăâî'],
  ['windows-1254', 'ğışçöüİĞŞÇÖÜâî’“”–…€'],
  ['windows-1257', 'āčēģīķļņšūžąęėįųõäöüĀČĒĢĪĶĻŅŠŪŽ„”–…€'],
  ['macintosh', 'äöüßéèêëàâçîïôûœñáíóúãõåæøÄÖÜÉÀÇÑÅÆØ’“”„–…'],
];

/** Other alphabets, with their most frequent letters. */
const otherAlphabets: readonly (readonly [name: string, letters: string])[] = [
  ['windows-1251', 'оеаинтсрвл'],
  ['koi8-r', 'оеаинтсрвл'],
  ['iso-8859-5', 'оеаинтсрвл'],
  ['windows-1253', 'αοιετσνηυράέήίόύώ'],
  ['windows-1255', 'יוהלאמרבתשםנ'],
  ['windows-1256', 'اليمونرتبةعده'],
  ['windows-874', 'านรอกเงมยลวดทสต'],
];

/** Bytes below which a sample is the whole text, which does not end within a character. */
const shortSample = 8 * 1024;

const confident = 0.7;
const possible = 0.5;

/**
 * Guesses the encoding of a text.
 * @param sample of the text, with characters beyond ASCII, which are not valid UTF-8
 * @returns a label of TextDecoder; Windows-1252 if nothing speaks for another
 */
export function guessLegacyEncoding(sample: Uint8Array): string {
  const [best] = multiByteEncodings
    .map((encoding) => ({ name: encoding.name, score: scoreMultiByte(sample, encoding) }))
    .sort((one, other) => other.score - one.score);
  if (best !== undefined && best.score >= confident) return best.name;
  const other = guessOtherAlphabet(sample);
  if (other !== null) return other;
  return best !== undefined && best.score >= possible ? best.name : guessLatin(sample);
}

/** How common the characters are on average; 0 when the bytes are invalid, or when characters stand alone between Latin letters. */
function scoreMultiByte(sample: Uint8Array, { name, width, commonness }: MultiByteEncoding): number {
  const text = decodeStrictly(sample, name, sample.length >= shortSample);
  if (text === null) return 0;
  let [count, sum, alone, position] = [0, 0, 0, 0];
  const characters = Array.from(text);
  for (const [index, character] of characters.entries()) {
    const first = sample[position] ?? 0;
    const second = sample[position + 1] ?? 0;
    if (first < 0x80) {
      position += 1;
      continue;
    }
    position += width(first, second);
    count += 1;
    sum += commonness(character, first, second);
    if (isAscii(characters[index - 1]) && isAscii(characters[index + 1])) alone += 1;
  }
  return count === 0 || alone * 2 > count ? 0 : sum / count;
}

/** Whether a neighbour is a Latin letter; the beginning and the end are none. */
function isAscii(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z]/.test(character);
}

/** An alphabet whose letters are all beyond ASCII, when there are words of such letters only. */
function guessOtherAlphabet(sample: Uint8Array): string | null {
  const words = new TextDecoder('windows-1252').decode(sample).match(/[A-Za-z]*[^\0-\x7f]+[A-Za-z]*/gu) ?? [];
  const pure = words.filter((word) => word.length > 1 && !/[A-Za-z]/.test(word)).join('').length;
  if (pure < 3 || pure * 2 < words.join('').length) return null;
  const [best] = otherAlphabets
    .map(([name, letters]) => ({ name, score: scoreAlphabet(new TextDecoder(name).decode(sample), letters) }))
    .sort((one, other) => other.score - one.score);
  return best !== undefined && best.score > 1 ? best.name : null;
}

/** The share of frequent letters, and of words that are capitalized as words are; 0 to 2. */
function scoreAlphabet(text: string, letters: string): number {
  const words = (text.match(/[A-Za-z]*[^\0-\x7f]+[A-Za-z]*/gu) ?? []).filter(
    (word) => !/[A-Za-z]/.test(word),
  );
  const characters = words.join('').toLowerCase();
  const usual = /^[«“„]?(?:[\p{L}\p{M}]\P{Lu}*|\p{Lu}+)$/u;
  const usualWords = words.filter((word) => usual.test(word));
  const known = Array.from(characters).filter((character) => letters.includes(character)).length;
  return usualWords.length / words.length + known / characters.length;
}

function guessLatin(sample: Uint8Array): string {
  const scores = latinEncodings.map(([name, letters]) => ({
    name,
    score: scoreLatin(new TextDecoder(name).decode(sample), letters),
  }));
  const most = Math.max(...scores.map(({ score }) => score));
  const tied = scores.filter(({ score }) => score === most).map(({ name }) => name);
  return preferredOf(tied, sample);
}

/** The letters that the languages use, without signs that stand between letters and control characters, which count twice. */
function scoreLatin(text: string, letters: string): number {
  let score = 0;
  for (const [found, before, character = '', after] of text.matchAll(/(?<=(.?))([^\0-\x7f])(?=(.?))/gsu)) {
    if (letters.includes(character)) score += found.length;
    const isBetween = isAscii(before) && isAscii(after);
    const isSign = !/[\p{L}’–—…·]/u.test(character);
    if (/\p{Cc}/u.test(character) || (isBetween && isSign)) score -= 2;
  }
  return score;
}

/** Where the letters are common in several, the statistics decide for Central Europe. */
function preferredOf(names: readonly string[], sample: Uint8Array): string {
  const [first = 'windows-1252'] = names;
  const central = names.find((name) => name === 'windows-1250' || name === 'iso-8859-2');
  if (first !== 'windows-1252' || central === undefined) return first;
  const matches = analyse(sample);
  const confidenceOf = (wanted: RegExp) =>
    Math.max(0, ...matches.filter(({ name }) => wanted.test(name)).map(({ confidence }) => confidence));
  const ahead = confidenceOf(/^(?:ISO-8859-2|windows-1250)$/) - confidenceOf(/^(?:ISO-8859-1|windows-1252)$/);
  return ahead > 5 ? central : first;
}

/**
 * Decodes bytes.
 * @param mayEndWithin whether the last character may be incomplete
 * @returns null when they are invalid
 */
export function decodeStrictly(bytes: Uint8Array, encoding: string, mayEndWithin = true): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: mayEndWithin });
  } catch {
    return null;
  }
}
