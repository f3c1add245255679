/** Stand-ins of GitHub and GitLab after a merge, written from their public references. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { craft } from "../../archive/support/zip";

export const commit = "c0ffee".padEnd(40, "0");
export const head = "beef".padEnd(40, "1");
export const token = "ghs_t0ken";
export const plan = Buffer.from("PK the reviewed plan");
export const sha256 = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");

export const commentOn = (digest: string | undefined, { tag = "tenant", at = "2026-01-02T00:00:00.000Z" } = {}) =>
  `<!-- tenantform:review tag=${tag} at=${at} -->\n` +
  (digest === undefined ? "" : `<!-- tenantform:plan sha256=${digest} -->\n`) +
  "# Review\n";

export interface Merged {
  readonly env: NodeJS.ProcessEnv;
  /** Path without query -> JSON, or the bytes of a file. Tests can change them. */
  readonly responses: Record<string, any>;
  /** Method, path and query of each request, and whether it had the token. */
  readonly calls: string[];
  /** The requests to the storage service of the files. */
  readonly stored: string[];
  close(): Promise<void>;
}

async function serve(responses: Record<string, any>, url: () => string, calls: string[], needsToken: boolean) {
  const server = createServer((request, response) => {
    const [path] = request.url!.split("?") as [string];
    const { authorization, "private-token": own } = request.headers;
    const isSigned = [`Bearer ${token}`, token].includes(String(authorization ?? own));
    calls.push(`${request.method} ${request.url} ${authorization ?? own ?? "without token"}`);
    // A storage service refuses requests with credentials in addition to the signature.
    if (isSigned !== needsToken) return response.writeHead(needsToken ? 401 : 400).end("{}");
    const found = responses[path];
    if (found === undefined) return response.writeHead(404).end("{}");
    if (!Buffer.isBuffer(found)) return response.end(JSON.stringify(found));
    return needsToken
      ? response.writeHead(302, { location: `${url()}${path}?signature=s` }).end()
      : response.end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const repository = { id: 1, full_name: "acme/tenant", default_branch: "main" };
const bot = { id: 43, type: "Bot", login: "github-actions[bot]" };

export const onGithub = () => ({
  [`/repos/acme/tenant/commits/${commit}/pulls`]: [
    {
      number: 7,
      merged_at: "2026-01-03T00:00:00Z",
      merge_commit_sha: commit,
      head: { sha: head, repo: { ...repository } },
      base: { ref: "main", repo: { ...repository } },
    },
  ],
  "/repos/acme/tenant/issues/7/comments": [{ id: 5, body: commentOn(sha256(plan)), user: bot }],
  "/repos/acme/tenant/actions/workflows/tenant.yml/runs": {
    workflow_runs: [
      {
        id: 70,
        path: ".github/workflows/tenant.yml",
        event: "pull_request",
        conclusion: "success",
        head_sha: head,
        repository: { ...repository },
        head_repository: { ...repository },
      },
    ],
  },
  "/repos/acme/tenant/actions/runs/70/artifacts": {
    artifacts: [
      {
        id: 700,
        name: "plan",
        expired: false,
        workflow_run: { id: 70, repository_id: 1, head_repository_id: 1, head_sha: head },
      },
    ],
  },
  "/repos/acme/tenant/actions/artifacts/700/zip": craft([
    { name: "plan", content: plan },
    { name: "plan.sha256", content: `${sha256(plan)}  plan\n` },
  ]),
});

export const onGitlab = () => ({
  "/user": { id: 42 },
  [`/projects/42/repository/commits/${commit}/merge_requests`]: [
    {
      iid: 7,
      state: "merged",
      sha: head,
      merge_commit_sha: commit,
      squash_commit_sha: null,
      source_project_id: 42,
      target_project_id: 42,
      target_branch: "main",
    },
  ],
  "/projects/42/merge_requests/7/notes": [{ id: 5, body: commentOn(sha256(plan)), author: { id: 42 } }],
  "/projects/42/merge_requests/7/pipelines": [{ id: 70, project_id: 42, sha: head, source: "merge_request_event" }],
  "/projects/42/pipelines/70/jobs": [{ id: 700, name: "review", status: "success", pipeline: { id: 70, sha: head } }],
  "/projects/42/jobs/700/artifacts/tenant/plan": plan,
});

/** `root`: the folder of the project. The job runs in its folder `tenant`. */
export async function merged(responses: Record<string, any>, root: string): Promise<Merged> {
  const [calls, stored]: [string[], string[]] = [[], []];
  const storage = await serve(responses, () => "", stored, false);
  const api = await serve(responses, () => storage.url, calls, true);
  const env = {
    GITHUB_API_URL: api.url,
    GITHUB_TOKEN: token,
    GITHUB_REPOSITORY: "acme/tenant",
    GITHUB_SHA: commit,
    GITHUB_WORKFLOW_REF: "acme/tenant/.github/workflows/tenant.yml@refs/heads/main",
    CI_API_V4_URL: api.url,
    CI_PROJECT_ID: "42",
    CI_PROJECT_DIR: root,
    CI_COMMIT_SHA: commit,
    CI_DEFAULT_BRANCH: "main",
    GITLAB_TOKEN: token,
  };
  return { env, responses, calls, stored, close: async () => void (await Promise.all([api.close(), storage.close()])) };
}
