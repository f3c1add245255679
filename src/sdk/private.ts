/** Private state: what is kept beside a state or a plan, as bytes that Terraform hands back. */
import type { Identity } from "./definition";

export interface Private {
  /** Tells the object from all others of a registry; missing until it was read or planned once. */
  readonly objectKey?: string;
  /** In a plan alone: whether the change is to be reviewed again before it is written. */
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
