/** One apply creates each object exactly once while the network and the service fail. */
import type { InjectedFault } from "../../../src/emulator/emulator";
import { acl, key, memberSet, policy } from "../../support/hcl";
import { openWorkspace } from "../../support/workspace";

const members = Array.from({ length: 12 }, (_, index) => `auth0|${index + 10}`);
const material = 'value = base64encode("material of thirty-two bytes: ${count.index}!")';
const stack = (organization: string) => `
${acl("a", { priority: "count.index + 1", rest: "count = 3" })}
${policy("b", "client_id:${count.index}", 5, "count = 3")}
${key("d", material, "count = 2", 'name_prefix = "k${count.index}-"')}
${memberSet(organization, members)}
`;

const writes = { method: "POST", path: "/api/v2/**" };
const everything = { path: "/api/v2/**" };

test.each<[name: string, rules: InjectedFault[]]>([
  ...Array.from({ length: 10 }, (_, index): [string, InjectedFault[]] => [
    `creates each object once after the response to write ${index + 1} is lost`,
    [{ ...writes, nth: index + 1, reset: "after" }],
  ]),
  ["creates each object once after six responses with status 429", [{ ...everything, times: 6, status: 429 }]],
])("%s", async (_name, rules) => {
  const workspace = await openWorkspace({ flags: ["tenant_acl_hmac_signature"] });
  const { emulator } = workspace;
  const organization = emulator.store.addOrganization({ name: "acme" }).id;
  for (const rule of rules) emulator.faults.add(rule);
  await workspace.apply(stack(organization));

  const { network_acls, rate_limit_policies, network_acl_keys } = emulator.snapshot();
  expect(network_acls!.map(({ priority }) => priority).toSorted()).toEqual([1, 2, 3]);
  expect(rate_limit_policies).toHaveLength(3);
  expect(network_acl_keys!.map(({ name }) => name.slice(0, 2)).toSorted()).toEqual(["k0", "k1"]);
  expect(Array.from(emulator.store.members(organization)!, ([user]) => user).toSorted()).toEqual(members);
  emulator.faults.clear();
  await workspace.settled();
});

test("keeps every member after plans that read an outdated list of members", async () => {
  const workspace = await openWorkspace({ flags: ["tenant_acl_hmac_signature"] });
  const { emulator } = workspace;
  const organization = emulator.store.addOrganization({ name: "acme" }).id;
  const present = () => Array.from(emulator.store.members(organization)!, ([user]) => user).toSorted();
  emulator.faults.add({ method: "GET", path: "/api/v2/organizations/*/members", stale: 60_000 });
  await workspace.apply(stack(organization));
  expect(present()).toEqual(members);

  expect((await workspace.plan()).changes).toMatchObject([{ change: { before: { members: [] } } }]);
  await workspace.apply();
  expect(present()).toEqual(members);
  emulator.faults.clear();
  await workspace.settled();
});
