/** Reads private data from the archive of a plan, and nothing from a file that is no plan. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { strToU8, zipSync } from "fflate";
import { plannedPrivateIn } from "../../src/plugin/planned-private";

const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-planned-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A field of protobuf with a length. */
const field = (number: number, content: Uint8Array) => {
  const tag = number * 8 + 2;
  const size = [(content.length % 128) | 128, content.length >> 7];
  return Buffer.from([...(tag < 128 ? [tag] : [(tag % 128) | 128, tag >> 7]), ...size, ...content]);
};
const change = (text: string) => field(3, Buffer.concat([field(13, strToU8("tenant_x.y")), field(10, strToU8(text))]));
/** A version, a field of 8 bytes, a field of 4 bytes, and two changes. */
const plan = Buffer.concat([
  Buffer.from([8, 0xac, 2, (4 << 3) | 1, 0, 0, 0, 0, 0, 0, 0, 0, (5 << 3) | 5, 0, 0, 0, 0]),
  change("one"),
  change("two".repeat(100)),
  field(18, change("drift")),
]);

const read = async (content: Uint8Array) => {
  const file = path.join(folder, "plan");
  writeFileSync(file, content);
  return (await plannedPrivateIn(file)).map(String);
};

test("reads the private data of each change", async () => {
  expect(await read(zipSync({ tfstate: strToU8("{}"), tfplan: plan }))).toEqual(["one", "two".repeat(100)]);
});

test.each<[string, Uint8Array]>([
  ["no archive", strToU8("an encrypted plan")],
  ["an archive without a plan", zipSync({ tfstate: strToU8("{}") })],
  ["a plan that is cut", zipSync({ tfplan: plan.subarray(0, 30) })],
  ["a number without an end", zipSync({ tfplan: Buffer.alloc(2_000, 0xff) })],
  ["an unknown kind of field", zipSync({ tfplan: Buffer.from([7]) })],
])("reads nothing from %s", async (_, content) => {
  expect(await read(content)).toEqual([]);
});

test("reads nothing from a file that does not exist, or from a folder", async () => {
  expect([await plannedPrivateIn(path.join(folder, "absent")), await plannedPrivateIn(folder)]).toEqual([[], []]);
});
