/** Decodes compressed and converted files, and finds the files of a folder. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { chunksOf, Inflated, sourcesAt } from "../../src/traffic/source";

const text = `${JSON.stringify({ a: "é" })}\n`.repeat(1_000);
const wide = Buffer.from(`\ufeff${text}`, "utf16le");

async function decoded(bytes: Buffer, size = 1_000) {
  const end = { isTorn: false };
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const chunks = [];
  for await (const chunk of chunksOf(Readable.from(parts), end)) chunks.push(chunk);
  expect(chunks.reduce((sum, { read }) => sum + read, 0)).toBeLessThanOrEqual(bytes.length);
  return { text: Buffer.concat(chunks.map((chunk) => chunk.bytes)).toString(), isTorn: end.isTorn };
}

test.each<[string, Buffer]>([
  ["text", Buffer.from(text)],
  ["gzip", gzipSync(text)],
  ["gzip in two members", Buffer.concat([gzipSync(text.slice(0, 1_500)), gzipSync(text.slice(1_500))])],
  ["gzip that was compressed again", gzipSync(gzipSync(text))],
  ["UTF-16, little end first", wide],
  ["UTF-16, big end first", Buffer.from(wide).swap16()],
  ["compressed UTF-16", gzipSync(wide)],
])("decodes %s, in chunks of every size", async (_, bytes) => {
  for (const size of [1, 7, 1_000]) expect(await decoded(bytes, size)).toEqual({ text, isTorn: false });
});

test.each<[string, Buffer]>([
  ["zip", Buffer.from("PK\u0003\u0004\u0014\0\0\0")],
  ["bzip2", Buffer.from("BZh91AY&SY")],
  ["7z", Buffer.from("377abcaf271c0004", "hex")],
  ["xz", Buffer.from("fd377a585a000004", "hex")],
  ["Zstandard", Buffer.from("28b52ffd0458", "hex")],
  ["Parquet", Buffer.from("PAR1\u0015\u0004\u0015")],
])("refuses %s, also inside gzip", async (form, bytes) => {
  await expect(decoded(bytes, 1)).rejects.toMatchObject({ form });
  await expect(decoded(gzipSync(bytes))).rejects.toMatchObject({ form });
});

test("refuses a few bytes that stand for millions", async () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(40 * 1024 * 1024)));
  expect(bomb.length).toBeLessThan(1_000);
  await expect(decoded(bomb)).rejects.toThrow(Inflated);
});

test("gives the bytes before the damage of a compressed file, and says that they are not all", async () => {
  const noise = Array.from({ length: 20_000 }, (_, index) => Math.imul(index, 0x9e3779b1) >>> 0).join("\n");
  const bytes = gzipSync(noise);
  const { text: found, isTorn } = await decoded(bytes.subarray(0, bytes.length - 5_000));
  expect([noise.startsWith(found), found.length > 1_000, isTorn]).toEqual([true, true, true]);
});

test("finds all files below a folder, also by links, but no hidden ones", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-source-"));
  try {
    await mkdir(path.join(folder, "a"));
    for (const name of ["a/2", "a/1", ".hidden"]) await writeFile(path.join(folder, name), "{}");
    await symlink(path.join(folder, ".hidden"), path.join(folder, "b"));
    await symlink(path.join(folder, "absent"), path.join(folder, "c"));
    const names = sourcesAt(folder).map(({ name }) => path.relative(folder, name));
    expect(names).toEqual([path.join("a", "1"), path.join("a", "2"), "b"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
