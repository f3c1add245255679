/** What the tenant has already and takes only once. */
import { TenantError, type TenantErrorCode, type TenantErrorDetails } from "./error";

/** A write that is refused because of something that stands on the tenant; whether to adopt it is the caller's to decide. */
export class Conflict<T extends { readonly id: string }> extends TenantError {
  constructor(
    message: string,
    /** What is in the way. */
    readonly existing: T,
    /** Whether it is the same as what was to be made, in everything, and as far as is known nobody's. */
    readonly identical: boolean,
    details: TenantErrorDetails,
    code: TenantErrorCode = "conflict",
  ) {
    super(code, message, details);
  }
}
