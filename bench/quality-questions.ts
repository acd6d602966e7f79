/**
 * Questions that readers of two public collections of texts may ask, with the texts that a reader wants, by file name. They were written from
 * titles. Seven were worded anew after the first run, because the texts do not have their words, and before the ranking was changed.
 */

/** A question with the texts that a reader expects among the first results. */
export interface Judged {
  readonly query: string;
  readonly expected: readonly string[];
}

/** Posts of the blog of the Rust project (github.com/rust-lang/blog.rust-lang.org). */
export const english: readonly Judged[] = [
  { query: 'phishing', expected: ['2025-09-crates-io-phishing-campaign'] },
  {
    query: 'malicious crates',
    expected: [
      'crates.io-malicious-crates-evm-units-and-uniswap-utils',
      'crates.io-malicious-crates-finch-rust-and-sha-rust',
    ],
  },
  { query: 'windows 7 support', expected: ['Windows-7'] },
  { query: 'minimum macOS version', expected: ['Increasing-Apple-Version-Requirements'] },
  { query: 'glibc requirements', expected: ['Increasing-glibc-kernel-requirements'] },
  { query: 'committing Cargo.lock', expected: ['committing-lockfiles'] },
  { query: 'non-lexical lifetimes', expected: ['nll-by-default', 'Rust-1.31-and-rust-2018'] },
  { query: 'async await stabilized', expected: ['Async-await-stable'] },
  { query: 'summer of code results', expected: ['gsoc-2024-results', 'gsoc-2025-results'] },
  { query: 'CVE-2022-21658', expected: ['cve-2022-21658'] },
  {
    query: 'security advisories for cargo',
    expected: ['Security-advisory-for-cargo', 'cve-2022-46176', 'cve-2026-33056', 'cve-2026-5223'],
  },
  { query: 'escaping arguments of batch files', expected: ['cve-2024-24576', 'Rust-1.77.2'] },
  { query: 'survey 2019', expected: ['survey-launch-2019'] },
  { query: 'leadership council', expected: ['introducing-leadership-council', 'council-survey'] },
  {
    query: 'rust foundation announced',
    expected: [
      'laying-the-foundation-for-rusts-future',
      'the-foundation-conversation',
      'Next-steps-for-the-foundation-conversation',
    ],
  },
  { query: 'const generics', expected: ['Rust-1.51.0'] },
  { query: 'let chains', expected: ['Rust-1.88.0'] },
  { query: 'c-string literals', expected: ['Rust-1.77.0'] },
  { query: 'generic associated types', expected: ['Rust-1.65.0'] },
  { query: 'scoped threads', expected: ['Rust-1.63.0'] },
  { query: 'rust analyzer', expected: ['rust-analyzer-joins-rust-org'] },
  { query: 'rustfmt let-else', expected: ['rustfmt-supports-let-else-statements'] },
  { query: 'cleaning the cargo cache', expected: ['cargo-cache-cleaning'] },
  { query: 'sparse registry', expected: ['sparse-registry-testing', 'Rust-1.70.0'] },
  { query: 'procedural macro', expected: ['Procedural-Macros-in-Rust-2018', 'Rust-1.15.1'] },
  { query: 'wasm target features', expected: ['webassembly-targets-change-in-default-target-features'] },
  { query: 'musl update', expected: ['Updating-musl-1.2.5'] },
  { query: 'u128 alignment', expected: ['i128-layout-update'] },
  { query: 'impl trait captures lifetimes', expected: ['impl-trait-capture-rules'] },
  { query: 'data races', expected: ['Fearless-Concurrency'] },
  { query: 'zero cost abstractions', expected: ['traits'] },
  { query: 'pattern matching moves', expected: ['Enums-match-mutation-and-moves'] },
  { query: 'safety critical industries', expected: ['what-does-it-take-to-ship-rust-in-safety-critical'] },
  { query: 'alternative compiler gcc', expected: ['gccrs-an-alternative-compiler-for-rust'] },
  { query: 'crates with too many features', expected: ['broken-badges-and-23k-keywords'] },
  { query: 'sponsoring contributors', expected: ['making-it-easier-to-sponsor-rust-contributors'] },
  { query: 'all hands berlin', expected: ['all-hands'] },
  { query: 'docs.rs build targets', expected: ['docs-rs-opt-into-fewer-targets'] },
  { query: 'edition 2021 plan', expected: ['edition-2021'] },
  { query: 'underhanded contest', expected: ['Underhanded-Rust'] },
];

/** Chapters of the German translation of the Rust book (github.com/rust-lang-de/rustbook-de). */
export const german: readonly Judged[] = [
  { query: 'Eigentümerschaft', expected: ['ch04-01-what-is-ownership', 'ch04-00-understanding-ownership'] },
  { query: 'Referenz', expected: ['ch04-02-references-and-borrowing'] },
  { query: 'Strings ablegen', expected: ['ch08-02-strings'] },
  { query: 'Lebensdauern', expected: ['ch10-03-lifetime-syntax'] },
  { query: 'Traits definieren', expected: ['ch10-02-traits'] },
  { query: 'Funktionsabschlüsse', expected: ['ch13-01-closures'] },
  { query: 'Iterator', expected: ['ch13-02-iterators'] },
  { query: 'Kommentare', expected: ['ch03-04-comments'] },
  { query: 'Datentypen', expected: ['ch03-02-data-types'] },
  { query: 'Variablen veränderbar', expected: ['ch03-01-variables-and-mutability'] },
  { query: 'Test schreiben', expected: ['ch11-01-writing-tests'] },
  { query: 'intelligente Zeiger', expected: ['ch15-00-smart-pointers'] },
  { query: 'Referenzzyklen Speicherlecks', expected: ['ch15-06-reference-cycles'] },
  { query: 'multithreaded Webserver', expected: ['ch21-02-multithreaded'] },
  { query: 'Umgebungsvariablen', expected: ['ch12-05-working-with-environment-variables'] },
  { query: 'Schlüsselwort', expected: ['appendix-01-keywords'] },
  { query: 'unsafe Rust', expected: ['ch20-01-unsafe-rust'] },
  { query: 'Makros', expected: ['ch20-05-macros'] },
  { query: 'Ratespiele', expected: ['ch02-00-guessing-game-tutorial'] },
  { query: 'Arbeitsbereiche', expected: ['ch14-03-cargo-workspaces'] },
];
