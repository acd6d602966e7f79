// scripts/run.mjs and the launcher in a small repository of their own, with an `npm` that only notes how it was called: what it installs
// and when, which program it runs with which words, and that signals and exit codes pass through it.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../support/until.ts';

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));
const folders: string[] = [];
const children: ChildProcess[] = [];

after(() => {
  for (const { pid } of children) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // The whole group has ended by itself.
    }
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** What `npm` does in these tests: it appends its words to calls.txt and installs the packages its words ask for. */
const NPM = `#!${process.execPath}
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
appendFileSync('calls.txt', process.argv.slice(2).join(' ') + '\\n');
if (existsSync('npm-fails')) {
  console.log('npm says what is wrong');
  process.exit(7);
}
if (process.argv[2] === 'ci') rmSync('node_modules', { recursive: true, force: true });
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const packages = {};
setTimeout(() => {
  for (const [folder, found] of Object.entries(lock.packages)) {
    if (folder === '' || (found.dev && process.argv.includes('--omit=dev'))) continue;
    mkdirSync(folder, { recursive: true });
    packages[folder] = found;
  }
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
}, existsSync('npm-is-slow') ? 1000 : 0);
`;

const LOCK = {
  packages: {
    '': { name: 'sample' },
    'node_modules/needed': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/tool': { version: '2.0.0', integrity: 'sha512-b', dev: true },
    'node_modules/elsewhere': { version: '3.0.0', optional: true, os: ['aix'], cpu: ['ppc64'] },
  },
};

interface Repository {
  root: string;
  npmCalls(): string[];
}

function makeRepository(): Repository {
  const root = mkdtempSync(join(tmpdir(), 'trellis-run-'));
  folders.push(root);
  for (const folder of ['scripts', 'packages/server/src', 'bin'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const name of ['run.mjs', 'launcher.mjs'])
    copyFileSync(join(scripts, name), join(root, 'scripts', name));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(LOCK));
  writeFileSync(join(root, 'bin', 'npm'), NPM);
  chmodSync(join(root, 'bin', 'npm'), 0o755);
  const echo = (name: string) => `const words: string[] = process.argv.slice(2);
    console.log(JSON.stringify(['${name}', ...words]));`;
  writeFileSync(join(root, 'packages', 'server', 'src', 'main.ts'), echo('main'));
  writeFileSync(join(root, 'scripts', 'echo.ts'), echo('script'));
  const calls = join(root, 'calls.txt');
  return {
    root,
    npmCalls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
  };
}

interface Run {
  child: ChildProcess;
  output: () => string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; output: string; errors: string }>;
}

function run({ root }: Repository, words: string[], environment: NodeJS.ProcessEnv = {}): Run {
  const { npm_lifecycle_event: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [join(root, 'scripts', 'run.mjs'), ...words], {
    cwd: root,
    env: { ...inherited, PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}`, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // away from the terminal the tests may run in, and to be ended together with its program
  });
  children.push(child);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended: Run['ended'] = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, output, errors }));
  });
  return { child, output: () => output, ended };
}

/** Runs a program that says "ready" and then does what `code` says, and waits for that word. */
async function runProgram(
  repository: Repository,
  code: string,
  environment?: NodeJS.ProcessEnv,
): Promise<Run> {
  writeFileSync(
    join(repository.root, 'packages', 'server', 'src', 'main.ts'),
    `${code}\nconsole.log('ready', process.pid);`,
  );
  const started = run(repository, [], environment);
  await waitFor(started, 'ready');
  return started;
}

async function waitFor(started: Run, text: string): Promise<void> {
  while (!started.output().includes(text)) {
    const ended = await Promise.race([
      started.ended,
      new Promise<null>((resolve) => started.child.stdout?.once('data', () => resolve(null))),
    ]);
    if (ended !== null) assert.ok(ended.output.includes(text), `ended without "${text}": ${ended.errors}`);
  }
}

describe('what is run', { timeout: 180_000 }, () => {
  test('the command line gets all words as they are', async () => {
    const words = ['serve', '--port', '4000', '--script', 'x.ts', '', 'a b', '$HOME', '*'];
    const { code, output } = await run(makeRepository(), words).ended;
    assert.deepEqual(JSON.parse(output), ['main', ...words]);
    assert.equal(code, 0);
  });

  test('a script gets the words after its name', async () => {
    const repository = makeRepository();
    const { output } = await run(repository, ['--script', 'scripts/echo.ts', '--script', 'two']).ended;
    assert.deepEqual(JSON.parse(output), ['script', '--script', 'two']);
  });

  test('--script without a file is wrong usage', async () => {
    const repository = makeRepository();
    const { code, errors } = await run(repository, ['--script']).ended;
    assert.equal(code, 2);
    assert.match(errors, /--script needs a file/);
    assert.deepEqual(repository.npmCalls(), []);
  });

  test('the Node.js among the packages is preferred', async () => {
    const repository = makeRepository();
    await run(repository, []).ended;
    const binary = join(
      repository.root,
      'node_modules',
      `node-${process.platform}-${process.arch}`,
      'bin',
      'node',
    );
    mkdirSync(dirname(binary), { recursive: true });
    writeFileSync(binary, '#!/bin/sh\necho "pinned $*"\necho "$NODE_COMPILE_CACHE"\n');
    chmodSync(binary, 0o755);
    const { output } = await run(repository, ['serve'], { NODE_COMPILE_CACHE: undefined }).ended;
    const [command, cache] = output.split('\n');
    const flags = '--disable-warning=ExperimentalWarning';
    assert.equal(
      command,
      `pinned ${flags} ${join(repository.root, 'packages', 'server', 'src', 'main.ts')} serve`,
    );
    assert.equal(cache, join(repository.root, 'node_modules', '.cache', 'trellis-compile'));
  });
});

describe('what is installed', { timeout: 180_000 }, () => {
  test('nothing twice: only what a plain run needs, and the development tools when a script does', async () => {
    const repository = makeRepository();
    const first = await run(repository, ['one']).ended;
    assert.match(first.errors, /^Installing packages.*\n$/);
    assert.deepEqual(repository.npmCalls(), [
      'ci --omit=dev --include=optional --ignore-scripts --no-audit --no-fund',
    ]);
    const again = await run(repository, ['two']).ended;
    assert.equal(again.errors, '');
    assert.equal(repository.npmCalls().length, 1);

    // What is there stays in place, as a server may be running on it.
    await run(repository, ['--script', 'scripts/echo.ts']).ended;
    assert.deepEqual(repository.npmCalls().slice(1), [
      'install --no-save --include=dev --include=optional --ignore-scripts --no-audit --no-fund',
    ]);
    await run(repository, ['--script', 'scripts/echo.ts']).ended;
    await run(repository, ['three']).ended;
    assert.equal(repository.npmCalls().length, 2);
  });

  test('everything anew when the lock file changed', async () => {
    const repository = makeRepository();
    await run(repository, ['--script', 'scripts/echo.ts']).ended;
    const changed = structuredClone(LOCK);
    changed.packages['node_modules/needed'].version = '1.0.1';
    writeFileSync(join(repository.root, 'package-lock.json'), JSON.stringify(changed));
    await run(repository, ['--script', 'scripts/echo.ts']).ended;
    assert.deepEqual(
      repository.npmCalls().map((call) => call.split(' ')[0]),
      ['ci', 'ci'],
    );
  });

  test('nothing when somebody has installed the same by hand, but a missing folder is noticed', async () => {
    const repository = makeRepository();
    const { root } = repository;
    await run(repository, ['--script', 'scripts/echo.ts']).ended;
    rmSync(join(root, 'node_modules', '.trellis-stamp.json'));
    await run(repository, []).ended;
    assert.equal(repository.npmCalls().length, 1);
    assert.equal(existsSync(join(root, 'node_modules', '.trellis-stamp.json')), true);
    rmSync(join(root, 'node_modules', '.trellis-stamp.json'));
    rmSync(join(root, 'node_modules', 'needed'), { recursive: true });
    await run(repository, []).ended;
    assert.equal(repository.npmCalls().length, 2);
  });

  test("a failure shows npm's words, runs nothing and leaves no lock", async () => {
    const repository = makeRepository();
    writeFileSync(join(repository.root, 'npm-fails'), '');
    const { code, output, errors } = await run(repository, []).ended;
    assert.equal(code, 1);
    assert.equal(output, '');
    assert.match(errors, /npm says what is wrong[\s\S]*exit code 7/);
    rmSync(join(repository.root, 'npm-fails'));
    assert.equal((await run(repository, []).ended).code, 0);
  });

  test('runs at the same time install once, and a lock left by a killed run holds nobody up', async () => {
    const repository = makeRepository();
    writeFileSync(join(repository.root, 'npm-is-slow'), '');
    const dead = spawn(process.execPath, ['--eval', '']);
    await new Promise((resolve) => dead.once('exit', resolve));
    mkdirSync(join(repository.root, '.install.lock'));
    writeFileSync(join(repository.root, '.install.lock', 'owner'), String(dead.pid));
    const future = new Date(Date.now() + 3_600_000); // so that only the owner's death tells
    utimesSync(join(repository.root, '.install.lock'), future, future);
    const results = await Promise.all(['a', 'b', 'c'].map((word) => run(repository, [word]).ended));
    assert.deepEqual(
      results.map(({ code, output }) => [code, JSON.parse(output)]),
      ['a', 'b', 'c'].map((word) => [0, ['main', word]]),
    );
    assert.equal(repository.npmCalls().length, 1);
    assert.deepEqual(
      readdirSync(repository.root).filter((name) => name.startsWith('.install.lock')),
      [],
    );
  });
});

describe('how it ends', { timeout: 180_000 }, () => {
  test('with the exit code of the program', async () => {
    const { ended } = await runProgram(makeRepository(), 'process.exitCode = 42;');
    assert.equal((await ended).code, 42);
  });

  test('with 128 and the signal when a signal ended the program', async () => {
    const started = await runProgram(makeRepository(), 'setInterval(() => {}, 1000);');
    process.kill(Number(started.output().split(' ')[1]), 'SIGKILL');
    assert.equal((await started.ended).code, 137);
  });

  for (const [name, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const) {
    test(`${name} reaches the program, and ends it if it does nothing about it`, async () => {
      const started = await runProgram(makeRepository(), 'setInterval(() => {}, 1000);');
      started.child.kill(name);
      assert.equal((await started.ended).code, 128 + number);
    });
  }

  test('a program may take its time after one signal, and is told of the second', async () => {
    const started = await runProgram(
      makeRepository(),
      `let count = 0;
      process.on('SIGINT', () => {
        count++;
        console.log('signal', count);
        if (count === 2) process.exit(5);
      });
      setInterval(() => {}, 1000);`,
    );
    started.child.kill('SIGINT');
    await waitFor(started, 'signal 1');
    started.child.kill('SIGINT');
    assert.equal((await started.ended).code, 5);
  });

  /** A program that counts its starts in a file and ends as `code` says. */
  async function runServer(
    code: string,
    words: string[] = ['serve'],
  ): Promise<Run & { starts: () => number }> {
    const repository = makeRepository();
    await run(repository, []).ended;
    const starts = join(repository.root, 'starts');
    writeFileSync(
      join(repository.root, 'packages', 'server', 'src', 'main.ts'),
      `import { appendFileSync } from 'node:fs';
      appendFileSync(${JSON.stringify(starts)}, '.');
      ${code}`,
    );
    const count = () => (existsSync(starts) ? readFileSync(starts, 'utf8').length : 0);
    return { ...run(repository, words), starts: count };
  }

  /** What `serve` tells the launcher first. */
  const tellServing = "await new Promise((resolve) => process.send('serving', resolve));";

  for (const [how, code] of [
    ['is killed', "process.kill(process.pid, 'SIGKILL');"],
    ['runs out of memory', 'process.abort();'],
    ['meets an unexpected error', 'process.exit(70);'],
  ] as const) {
    test(`a server that ${how} is started again after growing pauses, until a signal`, async () => {
      const { child, ended, starts } = await runServer(`${tellServing} ${code}`);
      await until('it was started again', () => starts() === 2);
      child.kill('SIGTERM');
      const { errors } = await ended;
      const pauses = [...errors.matchAll(/^The server died \(.+\) and is started again in (\d+) s\.$/gm)];
      assert.equal(pauses[0]?.[1], '1', errors);
      assert.ok(starts() <= 2);
    });
  }

  for (const [how, code, words] of [
    ['a server that cannot start', 'process.exit(1);', ['serve']],
    ['a server that is used wrongly', 'process.exit(2);', ['serve']],
    ['a server that has stopped', '', ['serve']],
  ] as const) {
    test(`${how} is not started again`, async () => {
      const { ended, starts } = await runServer(`${tellServing} ${code}`, [...words]);
      const { errors } = await ended;
      assert.deepEqual([starts(), errors], [1, '']);
    });
  }

  for (const words of [
    ['doctor'],
    ['token', 'create', '--name', 'serve'],
    ['--port', '1', 'export', 'serve'],
  ]) {
    test(`trellis ${words.join(' ')} is not started again when it dies`, async () => {
      const { ended, starts } = await runServer('process.exit(70);', words);
      const { code, errors } = await ended;
      assert.deepEqual([starts(), code, errors], [1, 70, '']);
    });
  }

  test('a server sees that the launcher was killed', async () => {
    const { child, ended } = await runServer(
      `${tellServing}
      process.once('disconnect', () => console.log('left alone'));
      process.kill(process.ppid, 'SIGKILL');`,
    );
    const { output } = await ended; // which also means that no process holds the pipe any more
    assert.deepEqual([child.signalCode, output], ['SIGKILL', 'left alone\n']);
  });

  test('the program is stopped when the shell npm ran us in is gone', async () => {
    const repository = makeRepository();
    await run(repository, []).ended;
    writeFileSync(
      join(repository.root, 'packages', 'server', 'src', 'main.ts'),
      `process.on('SIGTERM', () => { console.log('stopped'); process.exit(0); });
      setInterval(() => {}, 1000);
      console.log('ready');`,
    );
    // `; true` keeps the shell from replacing itself by its last command.
    const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/run.mjs; true`], {
      cwd: repository.root,
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    children.push(shell);
    let output = '';
    const closed = new Promise((resolve) => shell.stdout.once('close', resolve));
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (text.includes('ready')) shell.kill('SIGKILL');
    });
    await closed; // which also means that no process holds the pipe any more
    assert.equal(output, 'ready\nstopped\n');
  });
});
