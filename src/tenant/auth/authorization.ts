/** Adds the token to every request, and repeats a request once with a new token after a 401. */
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
      if (!isTenantError(error, "unauthorized")) throw error;
      const other = await tokens.renewed(token);
      if (other === undefined) throw withEnd(error, tokens.expiry());
      return sendWith(other);
    }
  };
}

function withEnd(error: TenantError, end: number | undefined): TenantError {
  if (end === undefined) return error;
  return new TenantError(error.code, `${error.message} (the token ends at ${new Date(end).toISOString()})`, error);
}
