/** Finds the reviewed plan on GitLab: a file of this project's review job for the merged commit. */
import { realpathSync } from "node:fs";
import path from "node:path";
import { gitlab, required, type CodeHost } from "./code-host";
import { idOf, mostPlan, mostPlans, newestFirst, objectsIn, type Job, type MergedChange } from "./merged-change";
import { gitlabThread } from "./thread";

interface MergeRequest {
  readonly iid?: unknown;
  readonly state?: unknown;
  readonly sha?: unknown;
  readonly merge_commit_sha?: unknown;
  readonly squash_commit_sha?: unknown;
  readonly source_project_id?: unknown;
  readonly target_project_id?: unknown;
  readonly target_branch?: unknown;
}

interface Pipeline {
  readonly id?: unknown;
  readonly project_id?: unknown;
  readonly sha?: unknown;
  readonly source?: unknown;
}

interface PipelineJob {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly status?: unknown;
  readonly pipeline?: Pipeline;
}

export async function gitlabChange({ environment, directory }: Job, name: string): Promise<MergedChange> {
  const host = gitlab(environment);
  const own = Number(required(environment, "CI_PROJECT_ID"));
  const { iid, head } = await mergedRequest(
    host,
    required(environment, "CI_COMMIT_SHA"),
    own,
    required(environment, "CI_DEFAULT_BRANCH"),
  );
  const file = artifactPath(required(environment, "CI_PROJECT_DIR"), directory);
  const thread = gitlabThread(environment, iid);
  return {
    name: `merge request ${iid}`,
    head,
    thread,
    isReviewer: (comment) => thread.isOwn(comment),
    async plans() {
      return (await pipelinesOf(host, iid, head, own)).map((pipeline) => async () => {
        const id = await jobOf(host, pipeline, name, head);
        return host.api.download(`${host.project}/jobs/${id}/artifacts/${file}`, mostPlan);
      });
    },
  };
}

/** Paths of artifacts start at the root of the project. Downloads one file, so no archive must be unpacked. */
function artifactPath(root: string, directory: string): string {
  const inside = path.relative(realpathSync(root), realpathSync(directory)).split(path.sep);
  if (inside[0] === ".." || path.isAbsolute(inside[0]!))
    throw new Error(`${directory} is not in CI_PROJECT_DIR (${root})`);
  return [...inside, "plan"]
    .filter((part) => part !== "")
    .map(encodeURIComponent)
    .join("/");
}

async function mergedRequest({ api, project }: CodeHost, commit: string, own: number, branch: string) {
  const found = objectsIn<MergeRequest>(
    await api.call("GET", `${project}/repository/commits/${encodeURIComponent(commit)}/merge_requests?per_page=100`),
  );
  const requests = found.filter(
    (one) =>
      one.state === "merged" &&
      one.target_project_id === own &&
      one.target_branch === branch &&
      [one.merge_commit_sha, one.squash_commit_sha, one.sha].includes(commit),
  );
  const [request] = requests;
  if (!request || requests.length > 1) {
    const many = request ? "more than one merge request" : "no merge request";
    throw new Error(`commit ${commit} comes from ${many} merged into the default branch`);
  }
  const iid = idOf({ id: request.iid }, "the merge request");
  if (request.source_project_id !== own) {
    throw new Error(
      `merge request ${iid} comes from a fork, and the review job does not plan forks on the real tenant`,
    );
  }
  if (typeof request.sha !== "string" || request.sha === "") throw new Error(`merge request ${iid} has no commit`);
  return { iid, head: request.sha };
}

async function pipelinesOf(
  { api, project }: CodeHost,
  iid: number,
  head: string,
  own: number,
): Promise<readonly number[]> {
  const pipelines = objectsIn<Pipeline>(
    await api.call("GET", `${project}/merge_requests/${iid}/pipelines?per_page=100`),
  );
  const found = pipelines.filter(
    (one) => one.source === "merge_request_event" && one.sha === head && one.project_id === own,
  );
  if (found.length > 0)
    return newestFirst(found)
      .slice(0, mostPlans)
      .map((one) => idOf(one, "the pipeline"));
  throw new Error(
    `commit ${head} has no merge request pipeline of this project (a pipeline of merged results has another commit)`,
  );
}

async function jobOf({ api, project }: CodeHost, pipeline: number, name: string, head: string): Promise<number> {
  const jobs = objectsIn<PipelineJob>(
    await api.call("GET", `${project}/pipelines/${pipeline}/jobs?scope[]=success&per_page=100`),
  );
  const [job] = newestFirst(
    jobs.filter(
      (one) =>
        one.name === name && one.status === "success" && one.pipeline?.id === pipeline && one.pipeline.sha === head,
    ),
  );
  if (job) return idOf(job, "the job");
  throw new Error(`pipeline ${pipeline} has no successful job ${name}`);
}
