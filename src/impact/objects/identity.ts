/** Identifies objects by their ids: the service gives no id twice. */
import { kindOf, kindRead } from "../../kinds/kinds";
import type { Values } from "../model";

/** `network ACL acl_…`; undefined if the values do not show the id. */
export function identityOf(type: string, values: Values | null | undefined): string | undefined {
  const identity = (kindOf(type) ?? kindRead(type))?.identity;
  const id = identity && values?.[identity.attribute];
  return typeof id === "string" && id !== "" ? `${identity!.noun} ${id}` : undefined;
}

/** The identity of an object that the plan imports. */
export function importedAs(type: string, importId: string | undefined): string | undefined {
  const attribute = kindOf(type)?.identity.attribute;
  return attribute === undefined ? undefined : identityOf(type, { [attribute]: importId });
}

/** Whether a resource of this type holds one entry of a list, so that several resources share the object. */
export function holdsOneEntry(type: string): boolean {
  return kindOf(type)?.goProvider.some((theirs) => theirs.type === type && theirs.entry !== undefined) === true;
}
