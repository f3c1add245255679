/** Recognizes the text of the playground: a plan, a state, or network ACLs in JSON or HCL. */
import { Unreadable } from "../../../hcl/tree";
import { aclTypes } from "../../../review/acls";
import { ReviewError } from "../../../review/error";
import { parsePlan, type Plan } from "../../../review/input/plan";
import { stateIn } from "../../../review/input/state";
import type { Values } from "../../../impact/model";
import { checkedAcls, type WrittenAcl } from "./acls";
import { resourceBlocks } from "./hcl";

export type Written = { readonly plan: Plan } | { readonly acls: readonly WrittenAcl[] };

const mostCharacters = 4 * 1024 * 1024;

/** Throws a `ReviewError` with the remedy. `name`: the name of the text in messages. */
export function writtenIn(text: string, name: string): Written {
  if (text.length > mostCharacters) {
    throw new ReviewError(
      `${name} has more than ${mostCharacters / 1024 / 1024} million characters. Review large plans with \`npx tenantform review\`.`,
    );
  }
  if (text.trim() === "") throw new ReviewError(`${name} is empty: write a network ACL, or paste a plan as JSON.`);
  return /^\s*\uFEFF?\s*[[{]/.test(text) ? jsonIn(text, name) : { acls: hclIn(text, name) };
}

function hclIn(text: string, name: string): WrittenAcl[] {
  try {
    const blocks = resourceBlocks(text, aclTypes);
    if (blocks.length === 0)
      throw new ReviewError(
        `${name} has no network ACL: write a block such as \`resource "tenant_network_acl" "name" {\`.`,
      );
    for (const { values, line } of blocks) {
      const repeated = ["count", "for_each"].find((argument) => argument in values);
      if (repeated !== undefined)
        throw new Unreadable(line, `the block has ${repeated}. Write each ACL as a block of its own.`);
    }
    return checkedAcls(
      blocks.map(({ type, name: label, values }) => ({ address: `${type}.${label}`, values })),
      false,
    );
  } catch (error) {
    if (error instanceof Unreadable) throw new ReviewError(`${name}, ${error.message}`);
    throw error;
  }
}

function jsonIn(text: string, name: string): Written {
  let read: unknown;
  try {
    read = JSON.parse(text.replace(/^\s*\uFEFF/, ""));
  } catch (error) {
    throw new ReviewError(`${name} is incomplete or not JSON: ${(error as Error).message}.`);
  }
  const list = listIn(read);
  if (list) return { acls: checkedAcls(list, true) };
  const state = stateIn(text);
  if (!state) return { plan: parsePlan(text, name) };
  const own = state.filter(({ mode, type }) => mode === "managed" && aclTypes.includes(type));
  if (own.length === 0) throw new ReviewError(`${name} is a state without network ACLs: paste a plan, or write ACLs.`);
  if (own.some(({ sensitive_values: marks }) => JSON.stringify(marks ?? {}).includes("true")))
    throw new ReviewError(
      `${name} is a state with sensitive values: explain it with \`npx tenantform explain\` instead.`,
    );
  return { acls: own.map(({ address, values }) => ({ address, values })) };
}

/** A list of ACLs, the response of the Management API, or a single ACL. */
function listIn(read: unknown): WrittenAcl[] | undefined {
  const isObject = typeof read === "object" && read !== null;
  const { network_acls: named, rule } = (isObject ? read : {}) as { readonly [name: string]: unknown };
  const list = Array.isArray(read) ? (read as unknown[]) : Array.isArray(named) ? (named as unknown[]) : rule && [read];
  if (!list) return undefined;
  return (list as unknown[]).map((values, index) => {
    const address = `network_acls[${index}]`;
    if (typeof values !== "object" || values === null || Array.isArray(values))
      throw new ReviewError(`${address} is not an object: give ACLs as the Management API returns them.`);
    return { address, values: values as Values };
  });
}
