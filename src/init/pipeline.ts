/**
 * The review of every pull request, for GitHub and GitLab. One job plans: it runs code of the pull request, and has no token of the code
 * host. One job comments: it gets the review as a file, and runs Tenantform of the base branch, and nothing of the pull request.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { stackName } from "../adopt/project";
import type { CodeHost, Language } from "./manifest";
import type { ManagerName } from "./manager";

const commands: Readonly<Record<ManagerName, { readonly install: string; readonly test: string }>> = {
  npm: { install: "npm ci", test: "npm test" },
  pnpm: { install: "npx --yes pnpm@10 install --frozen-lockfile", test: "npx --yes pnpm@10 test" },
};

export interface Pipeline {
  readonly codeHost: CodeHost;
  readonly language: Language;
  readonly manager: ManagerName;
  /** The directory below the top folder of the repository, with slashes. `.`: the top folder itself. */
  readonly below: string;
  /** The repository has a .gitlab-ci.yml of its own. */
  readonly isIncluded: boolean;
}

/** The file with the jobs. */
export function pipelineFile({ codeHost, isIncluded }: Pick<Pipeline, "codeHost" | "isIncluded">): string {
  if (codeHost === "github") return ".github/workflows/tenant.yml";
  return isIncluded ? "tenant.gitlab-ci.yml" : ".gitlab-ci.yml";
}

/** Code hosts replace `$` expressions in any text, so no folder may have one in its name. */
export const isWritable = (below: string) => !/[$\p{C}]/u.test(below);

/** Every JSON string is a YAML string with the same meaning. */
const quoted = (text: string) => JSON.stringify(text);

/** The jobs, and the script that they start. */
export function pipelineFiles(pipeline: Pipeline): Record<string, string> {
  const { codeHost, language, manager, below } = pipeline;
  const jobs = filled(`${codeHost}.yml`, {
    ...commands[manager],
    below: quoted(below),
    folder: quoted(below === "." ? "head" : `head/${below}`),
    tag: quoted(below === "." ? stackName : below),
    category: quoted(`tenantform-${below}`),
    terraform: language === "hcl" ? filled("hcl/setup.yml") : "",
  });
  return {
    [pipelineFile(pipeline)]: jobs,
    "review.sh": filled(language === "hcl" ? "hcl/review.sh" : "cdk/review.sh"),
  };
}

/** Fills in a file of `templates`: replaces each `__name__`. One that is a whole line stands for whole lines, or none. */
export function filled(template: string, values: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(path.join(__dirname, "templates", `${template}.template`), "utf8");
  const replaced = (found: string, name: string) => (Object.hasOwn(values, name) ? values[name]! : found);
  return text.replace(/^__(\w+?)__\n/gm, replaced).replace(/__(\w+?)__/g, replaced);
}
