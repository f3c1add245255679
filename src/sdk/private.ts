/** Private state: bytes that Terraform stores with a state or a plan, and returns. */
import type { Account } from "./account";
import type { Identity } from "./definition";

export interface Private {
  readonly account?: Account | undefined;
  /** Identifies the object in the plan registry; missing until it was read or planned once. */
  readonly objectKey?: string;
  /** Only in a plan: whether the apply reviews the change again before it writes it. */
  readonly reviewAgain?: boolean;
  /** The resource's own. */
  readonly own: Record<string, unknown>;
  /** In a plan alone: the identity of the object that one which is destroyed makes way for; absent where it is not known. */
  readonly successor?: Identity;
  /** In a plan alone: the object that a new one takes the place of; Terraform hands it to the plan of the new one. */
  readonly replaced?: { readonly objectKey?: string; readonly identity?: Identity };
}

export function openPrivate(bytes: Uint8Array | undefined): Private {
  if (!bytes?.length) return { own: {} };
  return { own: {}, ...(JSON.parse(Buffer.from(bytes).toString()) as Partial<Private>) };
}

export function sealPrivate(content: Private): Uint8Array {
  return Buffer.from(JSON.stringify(content));
}
