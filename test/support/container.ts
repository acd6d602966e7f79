/**
 * The container image, built with Buildah on a base of Debian's packages, and run as an unprivileged user on its read-only file system. No
 * container runtime is needed: a namespace of mounts and chroot make what matters here. Needs root.
 */
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { chown, copyFile, cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installFromDebian } from './debian.ts';
import { foreignEnvironment } from './published-package.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const base = 'localhost/trellis-test-base';
const certificates = '/etc/ssl/certs/ca-certificates.crt';

/** What an image says about its containers. */
interface ImageConfig {
  readonly Env: readonly string[];
  readonly User: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Healthcheck: { readonly Test: readonly [kind: string, ...command: string[]] };
}

export interface TestImage {
  readonly config: ImageConfig;
  /** Bytes of the files that its layers add to the base. */
  readonly addedBytes: number;
  /** The folder that containers see as their volume. */
  readonly volume: string;
  /** The command that runs another one in a container. */
  enter(command: readonly string[], environment: Readonly<Record<string, string>>): readonly string[];
  remove(): Promise<void>;
}

/** The image of a base like the official one of Node.js: a small Debian with Node.js and npm. */
const baseFile = `FROM scratch
ADD debian.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY ca-certificates.crt ${certificates}
ENV PATH=/usr/local/bin:/usr/bin:/bin NODE_EXTRA_CA_CERTS=${certificates} npm_config_cafile=${certificates}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && touch /etc/hosts /etc/resolv.conf
`;

/** Builds the image from this clone. @throws Error that says what is missing here */
export async function buildImage(): Promise<TestImage> {
  assert.ok(
    await installFromDebian(['buildah', 'mmdebstrap', 'ca-certificates']),
    'The container is tested as root on Debian, where Buildah can be installed.',
  );
  const folder = await mkdtemp(join(tmpdir(), 'trellis-container-'));
  const volume = join(folder, 'volume');
  const buildah = async (...words: readonly string[]) => {
    const places = [
      '--storage-driver',
      'vfs',
      '--root',
      join(folder, 'store'),
      '--runroot',
      join(folder, 'run'),
    ];
    const { stdout } = await execute('buildah', [...places, ...words], { maxBuffer: 50_000_000 });
    return stdout.trim();
  };
  await buildBase(join(folder, 'base'));
  const build = ['build', '--isolation', 'chroot', '--network', 'host', '--format', 'docker'];
  await buildah(...build, '--tag', base, join(folder, 'base'));
  const { stdout: cache } = await execute('npm', ['config', 'get', 'cache'], { env: foreignEnvironment() });
  const options = ['--build-arg', `BASE=${base}`, '--volume', `${cache.trim()}:/root/.npm`];
  await buildah(...build, ...options, '--file', 'deploy/container/Containerfile', '--tag', 'trellis', root);
  const mount = async (image: string) => buildah('mount', await buildah('from', image));
  const [system, baseSystem] = [await mount('trellis'), await mount(base)];
  const inspected = JSON.parse(await buildah('inspect', '--type', 'image', 'trellis'));
  const config: ImageConfig = { ...inspected.Docker.config };
  const [uid = '', gid = ''] = config.User.split(':');
  await mkdir(volume);
  await chown(volume, Number(uid), Number(gid));
  const prepare = [
    'set -e; system=$1; volume=$2; shift 2',
    'mount --bind "$system" "$system"; mount -o remount,bind,ro "$system"',
    'for place in /dev /proc /etc/hosts /etc/resolv.conf; do mount --rbind $place "$system$place"; done',
    'mount --bind "$volume" "$system/var/lib/trellis"',
    'exec "$@"',
  ].join('\n');
  return {
    config,
    addedBytes: (await countBytes(system)) - (await countBytes(baseSystem)),
    volume,
    enter: (command, environment) => [
      ...['unshare', '--mount', 'sh', '-c', prepare, 'sh', system, volume],
      ...['chroot', `--userspec=${uid}:${gid}`, system, 'env', '-i', '-C', config.WorkingDir],
      ...config.Env,
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      ...command,
    ],
    async remove() {
      await buildah('umount', '--all');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function buildBase(folder: string): Promise<void> {
  await mkdir(folder);
  const packages = 'bash,coreutils,dash,libstdc++6,libgcc-s1';
  const system = join(folder, 'debian.tar');
  const { stdout: codename } = await execute('sh', ['-c', '. /etc/os-release; echo $VERSION_CODENAME']);
  await execute('mmdebstrap', ['--variant=extract', `--include=${packages}`, codename.trim(), system]);
  const { stdout: npm } = await execute('sh', ['-c', 'command -v npm'], { env: foreignEnvironment() });
  await cp(dirname(dirname(await realpath(npm.trim()))), join(folder, 'npm'), { recursive: true });
  await copyFile(process.execPath, join(folder, 'node'));
  await copyFile(certificates, join(folder, 'ca-certificates.crt'));
  await writeFile(join(folder, 'Containerfile'), baseFile);
}

async function countBytes(folder: string): Promise<number> {
  const { stdout } = await execute('du', ['--summarize', '--bytes', folder]);
  return Number.parseInt(stdout, 10);
}

/** Starts a command with the words of `enter`. */
export function startEntered([program = '', ...words]: readonly string[]): ChildProcessByStdio<
  null,
  Readable,
  Readable
> {
  return spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
}
