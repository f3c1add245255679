/** Finds the reviewed plan on GitHub: an artifact of this repository's workflow for the merged commit. */
import type { HttpApi } from "../http-api";
import { github, required, type CodeHost } from "./code-host";
import { idOf, mostPlan, mostPlans, newestFirst, objectsIn, type MergedChange } from "./merged-change";
import { planIn } from "./plan-archive";
import { githubThread } from "./thread";

interface Repository {
  readonly id?: unknown;
  readonly full_name?: unknown;
  readonly default_branch?: unknown;
}

interface PullRequest {
  readonly number?: unknown;
  readonly merged_at?: unknown;
  readonly merge_commit_sha?: unknown;
  readonly head?: { readonly sha?: unknown; readonly repo?: Repository | null };
  readonly base?: { readonly ref?: unknown; readonly repo?: Repository };
}

interface Run {
  readonly id?: unknown;
  readonly path?: unknown;
  readonly event?: unknown;
  readonly conclusion?: unknown;
  readonly head_sha?: unknown;
  readonly repository?: Repository;
  readonly head_repository?: Repository | null;
}

interface Artifact {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly expired?: unknown;
  readonly workflow_run?: {
    readonly id?: unknown;
    readonly repository_id?: unknown;
    readonly head_repository_id?: unknown;
    readonly head_sha?: unknown;
  };
}

/** Identifies the run whose files are trusted: this repository's workflow made them for this commit. */
interface Origin {
  readonly repository: number;
  readonly head: string;
  /** Path of the workflow file. */
  readonly workflow: string;
}

export async function githubChange(environment: NodeJS.ProcessEnv, artifact: string): Promise<MergedChange> {
  const host = github(environment);
  const workflow = workflowOf(required(environment, "GITHUB_WORKFLOW_REF"));
  const { number, head, repository } = await mergedPull(
    host,
    required(environment, "GITHUB_SHA"),
    required(environment, "GITHUB_REPOSITORY"),
  );
  const thread = githubThread(environment, number);
  return {
    name: `pull request ${number}`,
    head,
    thread,
    // Other apps may comment for anybody. Only workflows of this repository comment as github-actions[bot].
    isReviewer: async (comment) =>
      (await thread.isOwn(comment)) &&
      (comment.author?.type !== "Bot" || comment.author.login === "github-actions[bot]"),
    async plans() {
      const origin = { repository, head, workflow };
      return (await runsFrom(host, origin)).map((run) => async () => {
        const id = await artifactOf(host, run, artifact, origin);
        return planIn(await host.api.download(`${host.project}/actions/artifacts/${id}/zip`, mostPlan), mostPlan);
      });
    },
  };
}

/** `acme/tenant/.github/workflows/tenant.yml@refs/heads/main` */
function workflowOf(ref: string): string {
  const [, file] = /^[^/]+\/[^/]+\/(\.github\/workflows\/[^/@]+)@/.exec(ref) ?? [];
  if (file === undefined)
    throw new Error(`GITHUB_WORKFLOW_REF is ${JSON.stringify(ref)}, which names no workflow file`);
  return file;
}

async function mergedPull({ api, project }: CodeHost, commit: string, repository: string) {
  const found = objectsIn<PullRequest>(
    await api.call("GET", `${project}/commits/${encodeURIComponent(commit)}/pulls?per_page=100`),
  );
  const pulls = found.filter(
    ({ merged_at: at, merge_commit_sha: sha, base }) =>
      typeof at === "string" &&
      sha === commit &&
      String(base?.repo?.full_name).toLowerCase() === repository.toLowerCase() &&
      base?.ref === base?.repo?.default_branch,
  );
  const [pull] = pulls;
  if (!pull || pulls.length > 1) {
    const many = pull ? "more than one pull request" : "no pull request";
    throw new Error(`commit ${commit} comes from ${many} merged into the default branch`);
  }
  const { number, head, base } = pull;
  const own = idOf(base!.repo!, "the repository");
  const name = `pull request ${idOf({ id: number }, "the pull request")}`;
  if (head?.repo?.id !== own) {
    throw new Error(`${name} comes from a fork, and the review job does not plan forks on the real tenant`);
  }
  if (typeof head.sha !== "string" || head.sha === "") throw new Error(`${name} has no commit`);
  return { number: number as number, head: head.sha, repository: own };
}

/** GitHub lists at most ten pages. */
const mostPages = 10;

async function runsFrom({ api, project }: CodeHost, origin: Origin): Promise<readonly number[]> {
  const file = encodeURIComponent(origin.workflow.split("/").at(-1)!);
  const query = `event=pull_request&status=success&head_sha=${encodeURIComponent(origin.head)}&per_page=100`;
  for (let page = 1; page <= mostPages; page++) {
    const runs = await listed<Run>(
      api,
      `${project}/actions/workflows/${file}/runs?${query}&page=${page}`,
      "workflow_runs",
    );
    // Newest first, so the first page with one of ours has the newest.
    const own = newestFirst(runs.filter((one) => isFrom(one, origin))).slice(0, mostPlans);
    if (own.length > 0) return own.map((run) => idOf(run, "the run"));
    if (runs.length === 0) break;
  }
  throw new Error(
    `commit ${origin.head} has no successful run of ${origin.workflow} for a pull request of this repository`,
  );
}

function isFrom(run: Run, { repository, head, workflow }: Origin): boolean {
  return (
    run.event === "pull_request" &&
    run.conclusion === "success" &&
    run.head_sha === head &&
    String(run.path).split("@")[0] === workflow &&
    run.repository?.id === repository &&
    run.head_repository?.id === repository
  );
}

async function artifactOf({ api, project }: CodeHost, run: number, name: string, origin: Origin): Promise<number> {
  const query = `name=${encodeURIComponent(name)}&per_page=100`;
  const artifacts = await listed<Artifact>(api, `${project}/actions/runs/${run}/artifacts?${query}`, "artifacts");
  const own = artifacts.filter(
    ({ name: title, workflow_run: from }) =>
      title === name &&
      from?.id === run &&
      from.head_sha === origin.head &&
      from.repository_id === origin.repository &&
      from.head_repository_id === origin.repository,
  );
  const [kept] = newestFirst(own.filter(({ expired }) => expired === false));
  if (kept) return idOf(kept, "the artifact");
  throw new Error(`the artifact ${name} of run ${run} ${own.length > 0 ? "has expired" : "does not exist"}`);
}

async function listed<T extends object>(api: HttpApi, path: string, property: string): Promise<readonly T[]> {
  const response = (await api.call("GET", path)) as Readonly<Record<string, unknown>> | null;
  return objectsIn<T>(response?.[property]);
}
