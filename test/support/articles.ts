/** Calls on the articles of a site, for tests. A failed assertion means that the server refused a valid call. */
import assert from 'node:assert/strict';
import type { VersionStatus } from '@trellis/schema/resources/article-transitions.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import type { Json, TestResponse, TestServer } from './server.ts';

/** The articles of one site. */
export class TestArticles {
  readonly sitePath: string;
  /** Path of the collection. */
  readonly path: string;
  private readonly server: TestServer;

  private constructor(server: TestServer, sitePath: string) {
    this.server = server;
    this.sitePath = sitePath;
    this.path = `${sitePath}/articles`;
  }

  /** Creates a site with this key, whose articles are German by default. */
  static async inNewSite(server: TestServer, key: string): Promise<TestArticles> {
    const site = await server.call('POST', '/v1/sites', { body: { name: 'Blog', key, defaultLocale: 'de' } });
    assert.equal(site.status, 201, site.text);
    return new TestArticles(server, `/v1/sites/${site.json.id}`);
  }

  /** Creates an article with a title, a body and the given members. */
  async create(body: object = {}): Promise<{ path: string; article: Json }> {
    const given = body as { articleData?: object; versionData?: object };
    const response = await this.server.call('POST', this.path, {
      body: { ...given, versionData: { title: 'A title', body: 'one two three', ...given.versionData } },
    });
    assert.equal(response.status, 201, response.text);
    return { path: `${this.path}/${response.json.id}`, article: response.json };
  }

  /** Sends a PATCH, whatever the response is. */
  async patch(path: string, body: object, token?: string): Promise<TestResponse> {
    return this.server.call('PATCH', path, { body, ...(token === undefined ? {} : { token }) });
  }

  /** Changes fields of a version, and returns the article. */
  async change(path: string, versionData: object): Promise<Json> {
    const response = await this.patch(path, { versionData });
    assert.equal(response.status, 200, response.text);
    return response.json;
  }

  /** Types of the events of one article, in order of its versions. */
  async eventsOf(path: string): Promise<string[]> {
    const id = decodeId('art', path.split('/').at(-1) ?? '');
    const rows = await this.server.database.worker.run(
      'SELECT type, subject_id, subject_version FROM trellis.outbox ORDER BY subject_version',
    );
    return rows.filter(([, subject]) => subject === id).map(([type]) => type ?? '');
  }

  /** Creates an article and brings its working version to a status by allowed transitions. @returns its path */
  async createWithStatus(status: VersionStatus): Promise<string> {
    const { path } = await this.create();
    const transitions: Partial<Record<VersionStatus, object[]>> = {
      IN_REVIEW: [{ status: 'IN_REVIEW' }],
      APPROVED: [{ status: 'IN_REVIEW' }, { status: 'APPROVED' }],
      SCHEDULED: [{ status: 'SCHEDULED', scheduledFor: inOneHour() }],
      PUBLISHED: [{ status: 'PUBLISHED' }],
      UNPUBLISHED: [{ status: 'PUBLISHED' }, { status: 'UNPUBLISHED' }],
      ARCHIVED: [{ status: 'ARCHIVED' }],
    };
    for (const step of transitions[status] ?? []) await this.change(path, step);
    return path;
  }
}

/** RFC 3339. */
export function inOneHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString();
}
