/** What a change of network ACLs does to requests, as data. */
import type { Api, Area, Outcome, RequestCase } from "../../access/access";

/** Which requests: those of the extent without the exceptions, or those of the cases. */
export interface Requests {
  readonly apis: readonly Api[];
  /** Requests that have no fact that a rule names beside country and address. null: the requests are those of `cases`. */
  readonly extent: {
    readonly areas: readonly Area[];
    /** The share of the requests over IPv4, and over IPv6. */
    readonly ipv4: number;
    readonly ipv6: number;
  } | null;
  /** Requests by their facts. */
  readonly cases: readonly RequestCase[];
  /** Requests of the extent that do not change so. */
  readonly exceptions: readonly RequestCase[];
  /** Only requests of the extent without named facts were compared: there may be more exceptions. */
  readonly isBound?: true;
  /** The requests would reveal a sensitive value, so they are left out. */
  readonly isHidden?: true;
}

/** The requests of a log that an effect is on, to the API with the largest share of them. */
export interface LoggedRequests {
  readonly api: Api;
  readonly sure: number;
  /** What the log has does not show whether the effect is on them. */
  readonly possible: number;
  /** All requests of the log to the API. */
  readonly of: number;
}

/** What a log shows of a change. */
export interface Log {
  /** Limits reject requests already. */
  readonly isRejecting: boolean;
  /** The requests to the APIs that the ACLs with these keys newly stop. Undefined: the log has too few requests to the APIs. */
  readonly stopped: (apis: readonly Api[], keys: ReadonlySet<string>) => LoggedRequests | undefined;
}

export interface OutcomeFacts extends Requests {
  readonly kind: "outcome";
  readonly before: Outcome;
  readonly after: Outcome;
  /** The hosts of redirects before and after the change. */
  readonly hosts: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** The countries from which requests are still allowed, if they are not those that the extent leaves out. */
  readonly allowed?: readonly string[];
  /** Left out: no log shows how many requests are stopped. */
  readonly logged?: LoggedRequests;
}

export interface LoggingFacts extends Requests {
  readonly kind: "logging";
  readonly direction: "lost" | "gained";
  /** The ACLs that log the requests, as the configuration calls them. */
  readonly acls: readonly string[];
}

/** What a rule does not do, or how many ACLs there are. */
export type AclFacts = { readonly kind: "acl" } & (
  | {
      /** `code`: no request has the code. */
      readonly about: "code";
      /** The title of the ACL. */
      readonly acl: string;
      readonly side: "match" | "not_match";
      readonly code: string;
      /** The code that is meant. */
      readonly likely: string;
      /** Its name. */
      readonly country?: string;
    }
  | {
      /** `host`: it redirects to a host that is not known as one of the tenant. */
      readonly about: "host";
      readonly acl: string;
      readonly host: string;
    }
  | {
      /** `https`: its redirect no longer leads to a URI with https. */
      readonly about: "https";
      readonly acl: string;
    }
  | {
      /** `shadow`: it can never match. */
      readonly about: "shadow";
      readonly acl: string;
      /** The ACLs that shadow it. None: its own criteria contradict each other. */
      readonly by: readonly string[];
    }
  | {
      /** `number`: there are more ACLs than a subscription includes. */
      readonly about: "number";
      readonly count: number;
    }
  | {
      /** `overlap`: the ACLs of so many APIs overlap so much that more outcomes may change there. */
      readonly about: "overlap";
      readonly count: number;
    }
);
