/** What happens to an object of the plan, beside what it does to people. */

/** An object as people know it. */
export interface ObjectName {
  readonly address: string;
  /** A signature key: people know it by its name. */
  readonly key?: KeyName;
}

export interface KeyName {
  /** Left out: known only after the apply. */
  readonly name?: string;
  /** How a name that is known only after the apply begins. */
  readonly prefix?: string;
  readonly isSecret?: true;
}

/** How a key takes the place of another one: with other material, with the same under another name, or it is not known. */
export type KeySuccession = "rotated" | "renamed" | "replaced";

export type ObjectFacts = { readonly kind: "object"; readonly object: ObjectName } & (
  | { readonly change: "created" | "forgotten" | "imported" }
  | {
      readonly change: "destroyed";
      /** An earlier apply replaced it, and could not destroy it. */
      readonly isLeftOver?: true;
    }
  | {
      readonly change: "replaced";
      /** The old object stays on the tenant. */
      readonly stays?: true;
      /** It has no id of its own, but that of the object whose entries it lists. */
      readonly isList?: true;
      readonly next?: KeyName;
      readonly how?: KeySuccession;
    }
  | {
      /** `adopted`: the tenant has an identical object already. */
      readonly change: "adopted";
      readonly noun: string;
      readonly id: string | undefined;
    }
  | { readonly change: "moved" | "renamed"; readonly from: string; readonly noun?: string }
  | {
      /** `drifted`: somebody changed or deleted it outside Terraform. */
      readonly change: "drifted";
      /** Left out: it was deleted. */
      readonly attributes?: readonly string[];
      readonly planned: "kept" | "undone" | "destroyed";
    }
);

/** More than one resource manages an object. */
export interface DuplicateFacts {
  readonly kind: "duplicate";
  readonly managers: readonly { readonly address: string; readonly plan?: string; readonly goes?: true }[];
  /** `network ACL acl_…` */
  readonly identity: string;
  /** The resources manage the entries of one list. */
  readonly isList?: true;
}

/** An object is created while the one that has its key is destroyed. */
export interface CollisionFacts {
  readonly kind: "collision";
  /** `rate limit policy` */
  readonly noun: string;
  /** `priority 5` */
  readonly key: string;
  readonly created: string;
  /** Left out: a replacement creates the new object first. */
  readonly destroyed?: string;
}

/** Several objects have the key that a tenant has once. */
export interface SameKeyFacts {
  readonly kind: "same key";
  /** `rate limit policy` */
  readonly noun: string;
  /** The attributes of the key. */
  readonly attributes: readonly string[];
  /** The value of the last attribute, as JSON. */
  readonly value: string;
  /** How people know the objects of the plans. */
  readonly titles: readonly string[];
  /** An unmanaged object that has the key. */
  readonly holder?: {
    readonly type: string;
    readonly id: string;
    readonly name?: string;
    /** It is as the planned object is to be. */
    readonly isIdentical?: true;
    /** The planned object replaces another one. */
    readonly isReplacement?: true;
    /** The plan moves an ACL to the priority. The provider does not know whether a later change frees it. */
    readonly isMoved?: true;
  };
}

/** The plan uses features in Early Access. */
export interface FeatureFacts {
  readonly kind: "features";
  readonly features: readonly string[];
}

/** A rule names a signature key that goes. */
export interface KeyFacts {
  readonly kind: "key";
  /** The title of the ACL. */
  readonly acl: string;
  /** Empty: the rule keeps secret which keys it names. */
  readonly keys: readonly ObjectName[];
  /** The rule still names the keys, which are destroyed or replaced. Left out: the rule names other keys after the change. */
  readonly going?: readonly ("destroyed" | "replaced")[];
  /** The ACL is outside the plans, so it may change before the apply. */
  readonly isUnmanaged?: true;
  /** A new key has the name of one of them, so it cannot be created before the old one is deleted. */
  readonly keepsName?: true;
  /** Requests that are signed with the old secret or id stop matching. Left out: the ACL is not active. */
  readonly stops?: "material" | "id";
  /** Terraform would delete a key while the rule still names it. */
  readonly goesFirst?: true;
}

/** A rule names a signature key that the tenant does not have. */
export interface UnknownKeyFacts {
  readonly kind: "unknown key";
  /** The title of the ACL. */
  readonly acl: string;
  /** The id of the key. Left out: the rule keeps secret which keys it names. */
  readonly id?: string;
  /** The keys that the tenant has. */
  readonly known: readonly { readonly id: string; readonly name?: string }[];
}

/** The tenant has too many signature keys. */
export interface KeyNumberFacts {
  readonly kind: "number of keys";
  readonly count: number;
  readonly most: number;
  /** The key that a new one replaces before it is destroyed. Left out: the plan adds keys. */
  readonly replaced?: ObjectName;
}

/** An object that the plan changes. */
export interface Touched {
  readonly address: string;
  readonly change: "created" | "changed" | "destroyed" | "replaced" | "imported";
  /** The changed attributes. */
  readonly paths: readonly string[];
}
