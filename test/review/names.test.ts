/** Reads names from the tenant with `--tenant`, with few requests. */
import { createEmulator, type Emulator } from "../../src/emulator/emulator";
import { remoteStateOf } from "../../src/review/ask";
import { toJson } from "../../src/review/json";
import type { Plan } from "../../src/review/input/plan";
import { reviewPlans } from "../../src/review/review";
import { change, members, plan } from "./support/plan";
import { faultOf } from "./support/schema";

const [acme, other] = ["org_0123456789abcdef", "org_fedcba9876543210"];
const people = Array.from({ length: 250 }, (_, index) => ({
  user_id: `auth0|${index}`,
  name: `User ${index}`,
  email: `user${index}@acme.example`,
}));
const ids = people.map(({ user_id: id }) => id);
let emulator: Emulator;
let close: () => Promise<void>;
let endpoint: string;

beforeAll(async () => {
  emulator = createEmulator({
    seed: {
      users: people,
      organizations: [
        { id: acme, name: "acme", display_name: "Acme", members: ids },
        { id: other, name: "other", members: ids.slice(0, 3) },
      ],
      clients: [
        {
          client_id: "narrow",
          client_secret: "s",
          global: true,
          scopes: ["read:network_acls", "read:rate_limit_policies", "read:organization_members"],
        },
      ],
    },
  });
  const tenant = await emulator.listen();
  ({ close, url: endpoint } = tenant);
});
afterAll(() => close());

const changed = [
  plan([
    change("tenant_organization_member_set.staff", members(acme!, ids), members(acme!, ids.slice(2))),
    change("tenant_organization_member_set.same", members(other!, ids.slice(0, 3)), members(other!, ids.slice(0, 3))),
  ]),
];

async function asked(plans: readonly Plan[], client = [emulator.clientId, emulator.clientSecret]) {
  const from = emulator.requests.length;
  const environment = { TENANT_ENDPOINT: endpoint, TENANT_CLIENT_ID: client[0], TENANT_CLIENT_SECRET: client[1] };
  const remote = await remoteStateOf(environment, plans);
  const about = emulator.requests.slice(from).map(({ path }) => path);
  return { remote, requests: about.filter((path) => path.includes("/organizations")).toSorted() };
}

test("names people and the organization, and keeps the ids in the JSON", async () => {
  const { remote } = await asked(changed);
  const review = reviewPlans("plan", changed, { remote });
  expect(review.effects.map(({ text }) => text)).toContain(
    `2 of 250 members lose access to "Acme" (${acme}): User 0 (acme.example), User 1 (acme.example).`,
  );
  expect(review.members[0]).toMatchObject({
    loses: ["auth0|0", "auth0|1"],
    people: { "auth0|0": "User 0 (acme.example)", "auth0|1": "User 1 (acme.example)" },
  });
  expect(JSON.stringify(review.members)).not.toContain("@");
  expect(faultOf(toJson(review))).toBeUndefined();
});

test("reads only organizations that change, with one request for a name", async () => {
  const { requests } = await asked(changed);
  expect(requests.map((path) => path.replace(/\?.*/, ""))).toEqual([
    `/api/v2/organizations/${acme}`,
    ...Array.from({ length: 3 }, () => `/api/v2/organizations/${acme}/members`),
  ]);
  expect((await asked([])).requests).toEqual([]);
});

test("asks for no name of an organization without the scope", async () => {
  const { remote, requests } = await asked(changed, ["narrow", "s"]);
  expect(requests.filter((path) => !path.includes("/members"))).toEqual([]);
  expect(reviewPlans("plan", changed, { remote }).effects.map(({ text }) => text)).toContain(
    `2 of 250 members lose access to ${acme}: User 0 (acme.example), User 1 (acme.example).`,
  );
});

test("reads an organization that does not exist as empty", async () => {
  const gone = "org_gone000000000000";
  const { remote } = await asked([
    plan([change("tenant_organization_member_set.x", members(gone, ["auth0|1"]), null)]),
  ]);
  expect(remote.organization_members).toEqual(new Map([[gone, []]]));
  expect(remote.organization_names).toEqual(new Map());
});
