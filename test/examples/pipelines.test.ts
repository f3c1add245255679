/** No job of a pipeline that we write or show has both code of the branch and a token of the code host that can write. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { version } from "../../package.json";
import { pipelineFiles } from "../../src/init/pipeline";
import { componentFile } from "./support/action";

const yaml = require("js-yaml") as { load(text: string): any; loadAll(text: string): any[] };

const read = (file: string) => readFile(path.join(__dirname, "../..", file), "utf8");
const ofInit = (codeHost: "github" | "gitlab") => {
  const files = pipelineFiles({ codeHost, language: "cdktf", manager: "npm", below: "a", isIncluded: false });
  return Promise.resolve(Object.entries(files).find(([name]) => name.endsWith(".yml"))![1]);
};

/** Commands and actions that run nothing of a checkout. */
const pinned = new RegExp(
  `^(npx --yes tenantform@${version} comment |cd "\\$\\(mktemp -d\\)"$|(actions|github)/[\\w/-]+@[0-9a-f]{40}$|` +
    `tenantform/tenantform/\\.github/actions/comment@v${version}$)`,
);

describe.each<[string, () => Promise<string>]>([
  ["the GitHub workflow of init", () => ofInit("github")],
  ["examples/review/github.yml", () => read("examples/review/github.yml")],
  ["examples/fleet/github.yml", () => read("examples/fleet/github.yml")],
])("%s", (_, text) => {
  test("comments in one job that checks nothing out, and gives no other job a permission to write", async () => {
    const { jobs, permissions } = yaml.load(await text());
    expect(permissions).toEqual({});
    const writing = Object.values<any>(jobs).filter((job) => JSON.stringify(job.permissions).includes("write"));
    expect(writing).toHaveLength(1);
    const [{ steps, if: condition }] = writing as any;
    for (const { run, uses } of steps) expect(run ?? uses).toMatch(pinned);
    expect(JSON.stringify(steps)).not.toContain("checkout");
    expect(condition).toContain("always()");
    const others = Object.values<any>(jobs).filter((job) => job !== writing[0]);
    expect(JSON.stringify(others)).not.toContain("github.token");
  });
});

describe.each<[string, () => Promise<string>]>([
  ["the GitLab pipeline of init", () => ofInit("gitlab")],
  [
    "the GitLab component",
    async () => (await read(componentFile)).split("\n---\n")[1]!.replaceAll(/: (\$\[\[.*)$/gm, ': "$1"'),
  ],
])("%s", (_, text) => {
  test("comments in one job that checks nothing out, and that alone has the environment of the token", async () => {
    const jobs = Object.entries<any>(yaml.load(await text()));
    const commenting = jobs.filter(([, { environment }]) => environment);
    expect(commenting).toHaveLength(1);
    const [[, { script, before_script: before = [], variables, environment, rules }]] = commenting as any;
    expect(variables.GIT_STRATEGY).toBe("none");
    expect(environment.action).toBe("access");
    expect(rules[0].when).toBe("always");
    const lines = [...before, ...script].flatMap((one: string) => one.trim().split("\n"));
    for (const line of lines.filter((one: string) => !one.startsWith("#"))) {
      expect(line.replace("$REVIEW_COMMAND", `npx --yes tenantform@${version}`)).toMatch(pinned);
    }
  });

  test("reviews in a folder of this pipeline that no branch can bring, and names its image", async () => {
    const jobs = Object.values<any>(yaml.load(await text()));
    const [reviewing] = jobs.filter(({ artifacts }) => artifacts);
    const all = JSON.stringify(jobs);
    expect(JSON.stringify([reviewing.artifacts.paths, all])).toContain("tenant-review-$CI_PIPELINE_ID");
    expect(all).toMatch(/rm -rf \\"\$(CI_PROJECT_DIR\/\$REVIEW|out)\\"/);
    expect(all).toContain('"image":{"name":');
    expect(all).not.toContain("../base");
  });
});

test("the default of both commands that comment is this version", async () => {
  const action = await read(".github/actions/comment/action.yml");
  for (const file of [action, await read(componentFile)]) {
    expect(file.match(/npx --yes tenantform@(\S+)/)![1]).toBe(version);
  }
});
