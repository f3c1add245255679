// Fetches the plan that was reviewed on the pull request which the commit on the main branch comes from:
// node reviewed-plan.mjs github|gitlab
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";

const { env } = process;

async function ask(url, headers) {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${new URL(url).pathname} was answered with ${answer.status}`);
  return answer;
}

const json = async (url, headers) => (await ask(url, headers)).json();

// review.sh runs in a job that keeps plan and plan.sha256 as the artifact "plan-" and the head of the pull request.
async function fromGitHub() {
  const headers = { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: "application/vnd.github+json" };
  const repository = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}`;
  const [pull] = await json(`${repository}/commits/${env.GITHUB_SHA}/pulls`, headers);
  if (!pull) throw new Error("the commit comes from no pull request");
  const name = `plan-${pull.head.sha}`;
  const { artifacts } = await json(`${repository}/actions/artifacts?name=${name}`, headers);
  const kept = artifacts.filter(({ expired }) => !expired);
  if (kept.length === 0) throw new Error(`there is no artifact ${name}, or it has expired`);
  const [newest] = kept.toSorted((a, b) => b.id - a.id);
  return ask(newest.archive_download_url, headers);
}

// The job "review" of the pipeline of the merge request keeps both as its artifacts.
async function fromGitLab() {
  const headers = { "private-token": env.GITLAB_TOKEN };
  const project = `${env.CI_API_V4_URL}/projects/${encodeURIComponent(env.CI_PROJECT_ID)}`;
  const [merge] = await json(`${project}/repository/commits/${env.CI_COMMIT_SHA}/merge_requests`, headers);
  if (!merge) throw new Error("the commit comes from no merge request");
  const ref = encodeURIComponent(`refs/merge-requests/${merge.iid}/head`);
  return ask(`${project}/jobs/artifacts/${ref}/download?job=review`, headers);
}

try {
  const archive = await { github: fromGitHub, gitlab: fromGitLab }[process.argv[2]]();
  writeFileSync("plan.zip", Buffer.from(await archive.arrayBuffer()));
  execFileSync("unzip", ["-q", "-o", "plan.zip"]);
  rmSync("plan.zip");
} catch (error) {
  console.error(`The reviewed plan cannot be fetched: ${error.message}.`);
  process.exitCode = 1;
}
