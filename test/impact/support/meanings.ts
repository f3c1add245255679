/** Meanings of changes for tests. */
import { notKnown } from "../../../src/access/access";
import { meaningOf, type JudgedChange } from "../../../src/impact/meaning/meaning";
import type { Marks, PlannedObject, Values } from "../../../src/impact/model";
import type { LimitChange } from "../../../src/impact/rate-limit-policy/changes";

const nothing: JudgedChange = {
  versions: { before: [], after: [] },
  limits: [],
  members: [],
  keys: [],
  objects: [],
  reasons: [],
  unseen: [],
};
export const meaning = (change: Partial<JudgedChange> = {}) => meaningOf({ ...nothing, ...change });
export const asn = (number: unknown) => ({ match: { asns: [number] } });
export const unknown = notKnown("x");

type Rate = NonNullable<LimitChange["after"]>;
export const rate = (limit: number | null, more: Partial<Rate> = {}): Rate => ({
  action: "block",
  limit,
  by: "default",
  ...more,
});
export const limit = (before: Rate | null, after: Rate | null, more: Partial<LimitChange> = {}): LimitChange => ({
  address: "policy.a",
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: "client_id:a",
  before,
  after,
  ...more,
});
export const limits = (...changes: LimitChange[]) => meaning({ limits: changes });

export interface Sides {
  readonly before?: Values;
  readonly after?: Values;
  readonly beforeSensitive?: Marks;
  readonly afterSensitive?: Marks;
}
export const keyObject = (sides: Sides): PlannedObject => ({
  address: "key.a",
  type: "tenant_network_acl_key",
  actions: [],
  ...sides,
});
export const material = (name: unknown, fingerprint: unknown = "f", more: Values = {}): Values => ({
  id: "key_1",
  name,
  alg: "hmac-sha256",
  fingerprint,
  ...more,
});
export const keys = (...all: Sides[]) => meaning({ keys: all.map(keyObject) });
