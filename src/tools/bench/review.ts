/** `tenantform review` of plans that change ACLs. */
import path from "node:path";
import { figure, median, table } from "./table";
import { onTenant } from "./tenant";
import { commands, dist, openWorkspace, run, script, type Bench } from "./workspace";

export interface ReviewTime {
  readonly what: string;
  /** For each round. */
  readonly seconds: readonly number[];
}

const countries = ["DE", "FR", "US", "JP", "BR"];
const actions = [{ allow: true }, { block: true }, { log: true }];

/** Every ACL has two signals, and each third one an exclusion. `shift` gives each ACL another country. */
const aclsOf = (size: number, shift: number) =>
  Array.from({ length: size }, (_, index) => ({
    description: `Benchmark ${index + 1}`,
    active: true,
    priority: index + 1,
    rule: {
      action: actions[index % 3],
      scope: "authentication",
      match: { ipv4_cidrs: [`10.${index}.0.0/15`], geo_country_codes: [countries[(index + shift) % 5]] },
      ...(index % 3 === 0 && { not_match: { asns: [64_500 + index] } }),
    },
  }));

const sizes = [10, 100];
const cli = (...args: string[]) => [path.join(dist, "cli.js"), ...args];

/** A review for each number of ACLs. */
export function measureReviews(bench: Bench): Promise<ReviewTime[]> {
  return onTenant(bench, "none", async (tenant) => {
    const times: ReviewTime[] = [];
    const options = { cwd: bench.folder, signal: bench.signal };
    const measure = async (what: string, ...args: string[]) => {
      const seconds: number[] = [];
      for (let round = 0; round < bench.rounds; round++)
        seconds.push((await run(process.execPath, cli(...args), options)).seconds);
      times.push({ what, seconds });
      bench.say(`${what}: measured`);
    };
    for (const size of sizes) {
      await tenant.reset();
      const workspace = await openWorkspace(bench, script, "acl", tenant.env);
      await workspace.write(aclsOf(size, 0));
      await workspace.run(commands.create);
      await workspace.write(aclsOf(size, 1));
      await workspace.run(["plan", "-input=false", "-out=plan"]);
      await measure(`review of ${size} changed ACLs`, "review", path.join(workspace.directory, "plan"), "--format", "text");
    }
    return times;
  });
}

export function reviewTable(times: readonly ReviewTime[]): string {
  return table(
    ["", "s"],
    times.map(({ what, seconds }) => [what, figure(median(seconds)!)]),
  );
}
