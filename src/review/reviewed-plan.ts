/** Fetches the plan that was reviewed on a merged pull request (`tenantform reviewed-plan`). */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { excerpt } from "../text/excerpt";
import { withoutPasswords } from "../text/masked";
import { withCommandPage } from "../text/page";
import { oneLine, print } from "../text/printable";
import { version } from "../version";
import type { Provider } from "./code-host";
import { githubChange } from "./github-plan";
import { gitlabChange } from "./gitlab-plan";
import type { Job, MergedChange } from "./merged-change";
import { newestOwn } from "./own-comment";
import { digestIn, digestOf } from "./plan-digest";

export interface ReviewedPlanFlags {
  readonly provider: Provider;
  /** The tag in the comment with the review. */
  readonly tag: string;
  /** The artifact on GitHub, the job on GitLab. */
  readonly from?: string;
}

/** Returns the exit code. Writes files only if it is 0. */
export async function reviewedPlan(flags: ReviewedPlanFlags, job: Job): Promise<number> {
  try {
    print(process.stdout, `${oneLine(await fetched(flags, job))}\n`);
    return 0;
  } catch (error) {
    const reason = excerpt(withoutPasswords((error as Error).message)).replace(/\.$/, "");
    const remedy =
      "Plan again on a branch of this repository, and merge the pull request that has the review of that plan.";
    const text = oneLine(`There is no reviewed plan to apply: ${reason}. ${remedy}`);
    print(process.stderr, withCommandPage(text, "reviewed-plan", version));
    return 1;
  }
}

async function fetched({ provider, tag, from }: ReviewedPlanFlags, job: Job): Promise<string> {
  const change =
    provider === "github"
      ? await githubChange(job.environment, from ?? "plan")
      : await gitlabChange(job, from ?? "review");
  const reviewed = await digestReviewed(change, tag);
  const plan = await planWith(reviewed, change);
  writeNew(path.join(job.directory, "plan.sha256"), `${reviewed}  plan\n`);
  try {
    writeNew(path.join(job.directory, "plan"), plan);
  } catch (error) {
    rmSync(path.join(job.directory, "plan.sha256"));
    throw error;
  }
  return `The plan that was reviewed on ${change.name} for commit ${change.head} is in plan (SHA-256 ${reviewed}).`;
}

/** If no plan matches, the error is that of the newest plan. */
async function planWith(reviewed: string, { name, plans }: MergedChange): Promise<Buffer> {
  let reason: unknown;
  for (const fetchPlan of await plans()) {
    try {
      const plan = await fetchPlan();
      const found = digestOf(plan);
      if (found === reviewed) return plan;
      reason ??= new Error(`the plan has the SHA-256 ${found}, but the review on ${name} names ${reviewed}`);
    } catch (error) {
      reason ??= error;
    }
  }
  throw reason;
}

/** The checksum in the comment that people read before they approved. */
async function digestReviewed({ name, thread, isReviewer }: MergedChange, tag: string): Promise<string> {
  const found = await newestOwn(tag, { ...thread, isOwn: isReviewer });
  if (!found) throw new Error(`${name} has no comment by this project's review job with the tag ${tag}`);
  const digest = digestIn(found.comment.body);
  if (digest === undefined) {
    throw new Error(`the review on ${name} does not name its plan: give the plan to \`tenantform comment --plan\``);
  }
  return digest;
}

/** Refuses to write through a link or over a file: either may be part of the commit. */
function writeNew(file: string, content: string | Buffer): void {
  try {
    writeFileSync(file, content, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(code === "EEXIST" ? `${path.basename(file)} exists already: remove it` : message, { cause: error });
  }
}
