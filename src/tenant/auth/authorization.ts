/** Adds the token to every request, and repeats a refused request once with a new token. */
import { isTenantError, TenantError } from "../error";
import type { Send } from "../http/call";
import type { Tokens } from "./token";

export function withToken(tokens: Tokens): (next: Send) => Send {
  return (next) => async (request) => {
    const sendWith = async (token: string) => {
      const reply = await next({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
      tokens.accepted(token);
      return reply;
    };
    const token = await tokens.current();
    try {
      return await sendWith(token);
    } catch (error) {
      const isRefused = isTenantError(error, "unauthorized");
      if (!isRefused && !isTenantError(error, "insufficient_scope")) throw error;
      const other = await tokens.renewed(token, isRefused ? "unauthorized" : "insufficient_scope");
      if (other === undefined) throw isRefused ? withEnd(error, tokens.expiry()) : error;
      return sendWith(other);
    }
  };
}

function withEnd(error: TenantError, end: number | undefined): TenantError {
  if (end === undefined) return error;
  return new TenantError(error.code, `${error.message} (the token ends at ${new Date(end).toISOString()})`, error);
}
