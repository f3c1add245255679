/** Counts the `api_limit` events: the service writes at most one a minute for each limit and client. */

import { shortened } from "./short";

/** One limit that one client passed. */
export interface PassedLimit {
  /** The name of the limit: the selector of a policy, or a name of the service. */
  readonly bucket: string;
  /** Empty: not in the event. */
  readonly client: string;
  /** Whether it is a rate limit policy, not a limit of the service. */
  readonly isPolicy: boolean;
  /** The largest number of requests a second that was passed. */
  size: number;
  events: number;
}

type Fields = Readonly<Record<string, unknown>>;

const part = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const isSelector = /^(default|cimd_clients|third_party_clients|client_id:.+)$/;
const mostLimits = 2_000;
const mostText = 200;

export class PassedLimits {
  readonly #limits = new Map<string, PassedLimit>();
  /** Events of limits and clients beyond the most that are kept apart. */
  rest = 0;

  add(fields: Fields, client = ""): void {
    const details = part(fields["details"]);
    const { bucket, size } = part(details["limit"]);
    const name = typeof bucket === "string" ? shortened(bucket, mostText) : "";
    const isPolicy = details["policy"] !== undefined || details["action"] !== undefined || isSelector.test(name);
    const amount = typeof size === "number" && size >= 0 && Number.isSafeInteger(size) ? size : 0;
    this.#count({ bucket: name, client, isPolicy, size: amount, events: 1 });
  }

  all(): readonly PassedLimit[] {
    return [...this.#limits.values()];
  }

  merge(other: PassedLimits): void {
    for (const limit of other.#limits.values()) this.#count(limit);
    this.rest += other.rest;
  }

  #count(limit: PassedLimit): void {
    const key = JSON.stringify([limit.bucket, limit.client]);
    const known = this.#limits.get(key);
    if (known) {
      known.events += limit.events;
      known.size = Math.max(known.size, limit.size);
    } else if (this.#limits.size < mostLimits) this.#limits.set(key, { ...limit });
    else this.rest += limit.events;
  }
}
