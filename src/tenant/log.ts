// Where the client tells what it does. Fields never hold a token, a secret or an assertion.

export type Level = "trace" | "debug" | "info" | "warn" | "error";
export type Log = (level: Level, message: string, fields?: Record<string, unknown>) => void;

export const silent: Log = () => {};
