import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { textsOf } from "../../../src/formats/text/decoded";

const text = `${JSON.stringify({ a: "é" })}\n`.repeat(200);
const wide = Buffer.from(`\ufeff${text}`, "utf16le");

async function decoded(bytes: Buffer, size = 1_000) {
  let isTorn = false;
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const texts = [];
  for await (const part of textsOf(Readable.from(parts), () => void (isTorn = true))) texts.push(part);
  return { text: texts.join(""), isTorn };
}

test.each<[string, Buffer]>([
  ["text", Buffer.from(text)],
  ["text with a byte order mark", Buffer.from(`\ufeff${text}`)],
  ["gzip", gzipSync(text)],
  ["gzip in two members", Buffer.concat([gzipSync(text.slice(0, 1_500)), gzipSync(text.slice(1_500))])],
  ["UTF-16, little end first", wide],
  ["UTF-16, big end first", Buffer.from(wide).swap16()],
  ["compressed UTF-16", gzipSync(wide)],
])("decodes %s, in chunks of every size", async (_, bytes) => {
  for (const size of [1, 7, 1_000]) expect(await decoded(bytes, size)).toEqual({ text, isTorn: false });
});

test("gives the bytes before the damage of a compressed file, and says that they are not all", async () => {
  const noise = Array.from({ length: 20_000 }, (_, index) => Math.imul(index, 0x9e3779b1) >>> 0).join("\n");
  const bytes = gzipSync(noise);
  const { text: found, isTorn } = await decoded(bytes.subarray(0, bytes.length - 5_000));
  expect([noise.startsWith(found), found.length > 1_000, isTorn]).toEqual([true, true, true]);
});
