import { TenantError } from "../../src/tenant/error";
import { userIds } from "./support/embedded";
import { scripted, type Reply } from "./support/scripted";

const path = "/organizations/org_1/members";
const refused: Reply = { status: 409, body: { statusCode: 409, message: "There already." } };

/** Responses to the writes, in order. `lost`: no response. Further writes succeed. */
function organization(members: string[], ...writes: (Reply | "lost")[]) {
  return scripted(({ method }) => {
    if (method === "GET") return { body: { members: members.map((user_id) => ({ user_id })), total: members.length } };
    const answer = writes.shift() ?? { status: 204 };
    if (answer === "lost") throw new TenantError("connection_failed", "It broke.");
    return answer;
  });
}

const kinds = ({ lines }: { lines: string[] }) => lines.map((line) => line.split(" ")[0]);

test.each(["add", "remove"] as const)("repeats %s if its response was lost", async (verb) => {
  const one = organization([], "lost");
  const done: string[] = [];
  await one.tenant.organizationMembers[verb]("org_1", userIds(3), (ids) => done.push(...ids));
  const line = `${verb === "add" ? "POST" : "DELETE"} ${path}`;
  expect([one.lines, done]).toEqual([[line, line], userIds(3)]);
});

test("reads the list to see whether all were added if the repetition is refused", async () => {
  const there = organization(userIds(3), "lost", refused);
  await there.tenant.organizationMembers.add("org_1", userIds(3));
  expect(kinds(there)).toEqual(["POST", "POST", "GET"]);
  const missing = organization(userIds(2), "lost", refused);
  await expect(missing.tenant.organizationMembers.add("org_1", userIds(3))).rejects.toMatchObject({ code: "conflict" });
  const removed = organization(userIds(3), "lost", refused);
  const removing = removed.tenant.organizationMembers.remove("org_1", userIds(3));
  await expect(removing).rejects.toMatchObject({ code: "conflict" });
  expect(kinds(removed)).toEqual(["DELETE", "DELETE"]);
});

test("reports a failed batch after those under way, and starts no further batch", async () => {
  const broken = organization([], { status: 204 }, { status: 204 }, refused);
  const done: string[] = [];
  const adding = broken.tenant.organizationMembers.add("org_1", userIds(200), (ids) => done.push(...ids));
  await expect(adding).rejects.toMatchObject({ code: "conflict" });
  expect(done).toHaveLength(10 * (broken.lines.length - 1));
  expect(broken.lines.length).toBeLessThan(20);
});
