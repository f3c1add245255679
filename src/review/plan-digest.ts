/** Writes the SHA-256 of the plan into the comment with the review. The job that applies a plan compares the two. */
import { createHash } from "node:crypto";
import { readMarker } from "./markdown";

export const digestOf = (plan: Buffer) => createHash("sha256").update(plan).digest("hex");

/** Directly after the review's own marker, where text from a plan never appears. */
const noted =
  /^<!-- tenantform:review tag=\S* at=\S+ -->\r?\n<!-- tenantform:plan sha256=([0-9a-f]{64}) -->(?:\r?\n|$)/;

/** `body`: a review in markdown. */
export function withDigest(body: string, digest: string): string {
  return body.replace(/\n|$/, `\n<!-- tenantform:plan sha256=${digest} -->\n`);
}

export function digestIn(body: string): string | undefined {
  return readMarker(body) && noted.exec(body)?.[1];
}
