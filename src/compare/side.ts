/** One side of a comparison: the objects of a configuration or of a tenant. */
import type { Marks, Values } from "../impact/model";
import type { Kind } from "../kinds/kind";

export interface Side {
  /** As the command line names it. */
  readonly name: string;
  readonly objects: readonly SideObject[];
  /** The parts that are not known, in clauses without a verb. */
  readonly unknown: readonly string[];
  /** Kinds that the token must not read. */
  readonly unread: readonly Kind[];
  /** It is a tenant, so it has every object. */
  readonly isTenant: boolean;
  /** It may have more objects than those that were read, so that no difference is certain. */
  readonly isPartial: boolean;
}

export interface SideObject {
  readonly kind: Kind;
  /** The address; for a tenant, the noun and the name. */
  readonly label: string;
  /** A value that is not known is a symbol. */
  readonly values: Values;
  readonly sensitive?: Marks;
  /** The name of the organization of a member set, if it is known. */
  readonly organization?: string;
}
