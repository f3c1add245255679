/** A plan that breaks statements of two kinds refuses both, however slow the machine is, and with one call at a time as well. */
import { samples } from "../../../support/seed";
import { openWorkspace, unwrapped, type Workspace } from "../../../support/workspace";
import { memberSet as members } from "../../../support/hcl";
import { expectation, providing, sanctions, wall } from "./support/configuration";

/** Plans at the same time, for two cores. */
const parallel = 10;

async function prepared(): Promise<Workspace> {
  const workspace = await openWorkspace();
  const { id } = workspace.emulator.store.addOrganization({ name: "acme" });
  const staff = `members {\n organization_id = "${id}"\n include = ["auth0|ada"]\n }`;
  const provider = providing(expectation("sanctions", sanctions), expectation("staff", staff));
  await workspace.apply(provider + wall() + members(id, ["auth0|ada", "auth0|bob"]));
  await workspace.write(provider + wall().replace('"IR", "KP"', '"IR"') + members(id, ["auth0|bob"]));
  return workspace;
}

/** The names of the refused expectations, and whether something was only warned of. */
async function verdictOf(workspace: Workspace, ...args: string[]) {
  const { code, stdout, stderr } = await workspace.terraform("plan", ...args);
  const errors = [...unwrapped(stderr).matchAll(/Error: Expectation "(\w+)" is broken/g)].map(([, name]) => name);
  return JSON.stringify([code, errors.toSorted(), /Warning: Expectation/.test(stdout)]);
}

const refused = JSON.stringify([1, ["sanctions", "staff"], false]);

test("all plans under load refuse both", async () => {
  const all = await Promise.all(Array.from({ length: parallel }, prepared));
  const each = samples(20, 200) / parallel;
  const found = await Promise.all(
    all.map(async (workspace) => {
      const verdicts: string[] = [];
      for (let count = 0; count < each; count++) verdicts.push(await verdictOf(workspace));
      return verdicts;
    }),
  );
  expect(new Set(found.flat())).toEqual(new Set([refused]));
});

test("a plan with one call at a time refuses both too", async () => {
  expect(await verdictOf(await prepared(), "-parallelism=1")).toBe(refused);
});
