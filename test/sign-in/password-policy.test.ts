/** Which passwords are refused: those that are tried first, and none that somebody has chosen well. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { checkNewPassword } from '@trellis/server/features/sign-in/password-policy.ts';
import { estimateBits, loadGuessedParts } from '@trellis/server/features/sign-in/password-strength.ts';
import { findSuperlinear } from '../support/growth.ts';

/** Of 12 and more characters, from what lists of leaked passwords consist of: the rule was not made of these. */
const wellKnown = {
  'runs of the alphabet and of digits': [
    '1234567890123',
    '12345678910111213',
    '123456789123456789',
    '098765432109',
    'abcdefghijkl',
    'zyxwvutsrqponm',
    'abcdefg1234567',
    '2468101214161820',
    'a1b2c3d4e5f6g7',
    '010203040506',
    '147258369147',
    '741852963741',
    '135792468013579',
  ],
  'walks over the keyboard': [
    'qwertyuiopasdf',
    'asdfghjkl;123',
    'zxcvbnm,./123',
    'qwertzuiop123',
    '1qaz2wsx3edc4rfv',
    'q1w2e3r4t5y6u7',
    'qazwsxedc1234',
    'mnbvcxzlkjhgf',
    'poiuytrewq123',
    'asdfqwerzxcv',
    '!QAZ@WSX#EDC',
    'qweasdzxc123456',
    'QWERTYuiop1234',
  ],
  'one thing repeated': [
    'aaaaaaaaaaaaaa',
    'abababababab',
    'passpasspass',
    'testtesttest',
    'qwerqwerqwer',
    '112112112112',
    'lovelovelove',
    '999999999999',
    'hahahahahaha',
    'iloveyouiloveyou',
    'abc123abc123',
    '!!!!!!!!!!!!!!',
  ],
  'words with digits, years and signs': [
    'password12345',
    'Password123!!',
    'P@$$w0rd2024',
    'p4ssw0rdp4ssw0rd',
    'Welcome2024!!',
    'letmein123456',
    'sunshine2023!',
    'Summer2026!!!',
    'Spring2025Spring',
    'monkey1234567',
    'dragon1986!!!',
    'princess2001',
    'charlie12345',
    'trustno1!!!!',
    'superman1978',
    'administrator',
    'administrator1!',
    'changeme12345',
    'Passwort2026!',
    'Sommer2025!!',
    'hallo1234567',
    'schatz123456',
    'secret1234567',
    'computer12345',
    'football2024',
    'november2025!',
  ],
  'clubs, bands, films and places': [
    'manchesterunited',
    'manchestercity1',
    'realmadrid123',
    'barcelona1899',
    'juventus1897!',
    'liverpool2005',
    'chelsea123456',
    'bayernmuenchen',
    'borussia1909!',
    'newcastleutd1',
    'bostonredsox1',
    'chicagobulls23',
    'metallica1234',
    'slipknot66666',
    'linkinpark2000',
    'pinkfloyd1973',
    'starwars12345',
    'lordoftherings',
    'harrypotter07',
    'spiderman2002',
    'pokemon151515',
    'minecraft2011',
    'newyorkcity1',
    'sanfrancisco49',
    'deutschland2006',
  ],
  phrases: [
    'iloveyousomuch',
    'iloveyouforever',
    'ichliebedich123',
    'letmeinplease',
    'whatthehell123',
    'godblessamerica',
    'inthenameofgod',
    'happybirthday1',
    'goodmorning123',
    'howareyoutoday',
    'idontknow1234',
    'jesusismylord',
    'neversaynever1',
    'youandmeforever',
    'passwordpassword1',
    'thisismypassword',
    'correct horse battery staple',
    'The quick brown fox jumps over the lazy dog',
  ],
};

/** Of the kind that is recommended, and by chance. */
const chosenWell = [
  'eleven wooden bridges',
  'nine quiet harbours',
  'tulip-anchor-mosaic',
  'gravel otter mint',
  'grumpy walrus tango',
  'lantern fjord biscuit 9',
  'my dog eats 7 lemons',
  'the cat sat on my blue kettle',
  'otter42valley!frost',
  'Zwölf Boxkämpfer jagen',
  'vier rote Drachen steigen',
  'meine Katze mag kein Brot',
  'abendrot-kiesel-flanke',
  'Eselsbrücke am Dienstag',
  'kV9#qLm2!xTz',
  'vQ7-pl0x-Rm2z',
  'qvwk nrtb ylpe',
  '173648291047',
  'ünïcödé pässwörd 🎺',
  'жёлтый чайник поёт',
  '走れメロスは激怒した必ず',
  `${'tulip anchor mosaic '.repeat(51)}x`,
];

/** The code of the rejection; undefined if the password is taken. */
async function findFault(password: string, ownWords: readonly string[] = []): Promise<string | undefined> {
  try {
    await checkNewPassword(password, ownWords);
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.code === 'validation_failed') return error.errors[0]?.code;
    throw error;
  }
}

test('well-known passwords of 12 and more characters are refused', async () => {
  const all = Object.values(wellKnown).flat();
  assert.ok(all.length >= 80 && all.every((password) => [...password].length >= 12));
  const taken: string[] = [];
  for (const password of all) if ((await findFault(password)) !== 'common') taken.push(password);
  assert.deepEqual(taken, []);
});

test('passphrases and passwords by chance are taken', async () => {
  for (const password of chosenWell) assert.equal(await findFault(password), undefined, password);
});

test('what belongs to the person or the organization makes no password', async () => {
  const own = ['grete.samsa@example.com', 'Grete Samsa', 'Verlag Kafka & Söhne'];
  for (const password of [
    'grete.samsa@example.com',
    'GreteSamsa2026',
    'samsa-grete-1912',
    'KafkaSöhne2026!',
    'VerlagKafka123',
    'kafkakafkakafka',
  ]) {
    assert.notEqual(await findFault(password, own), undefined, password);
  }
  for (const password of ['grete.samsa@example.com', 'VerlagKafka123']) {
    assert.equal(await findFault(password, own), 'personal');
    assert.equal(await findFault(password, ['somebody.else@example.com']), undefined);
  }
  assert.equal(await findFault('samsa tulip anchor mosaic', own), undefined);
});

test('the work of judging a password grows with its length, whatever its form', async () => {
  const hostile = [
    'a',
    'ab',
    '1a',
    '12',
    '4@',
    'qwertyuiop',
    'abcdefgh',
    'password',
    '2026',
    '\u{1f3ba}',
    'ﬃ',
    // Each is written in place of a letter.
    '4$!703+|@51',
  ];
  const guessed = await loadGuessedParts();
  for (const unit of hostile) {
    const grown = findSuperlinear(1_024, (length) => {
      estimateBits(unit.repeat(length).slice(0, length), new Set(), guessed);
    });
    assert.equal(grown, null, unit);
  }
});
