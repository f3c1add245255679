/** The shapes in which the service answers: JSON, the odd empty 204, and errors. */
/** An error the service itself would answer, in its own words. */
export class ServiceError extends Error {
  constructor(
    /** HTTP status of the answer. */
    readonly status: number,
    /** The sentence people read. */
    message: string,
    /** Machine-readable code; absent where the service sends none. */
    readonly errorCode?: string,
    /** Headers that belong to this error alone, such as Retry-After. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "ServiceError";
  }
}

const reasons: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  413: "Request Entity Too Large",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

export const contentType = "application/json; charset=utf-8";

export function errorBody(status: number, message?: string, errorCode?: string) {
  const error = reasons[status] ?? `Status ${status}`;
  return { statusCode: status, error, message: message ?? error, ...(errorCode && { errorCode }) };
}

export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": contentType, ...headers } });

/** 204 as the service sends it: no body, and a content type nevertheless. */
export const noContent = () => new Response(null, { status: 204, headers: { "content-type": contentType } });

/** The body of an error at the token endpoint. */
export const tokenError = (error: string, error_description: string) => ({ error, error_description });

/** The same error as an OAuth endpoint tells it. */
export const oauthErrorAnswer = ({ status, errorCode = "invalid_request", message, headers }: ServiceError) =>
  json(status, tokenError(errorCode, message), headers);

export const errorAnswer = (error: ServiceError) =>
  json(error.status, errorBody(error.status, error.message, error.errorCode), error.headers);

const byLengthThenBytes = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length - right.length || Buffer.compare(left, right);
};

/** The value with the keys of every object in it in the service's storage order: shorter first, then by bytes. */
export function stored<T>(value: T): T {
  if (Array.isArray(value)) return value.map(stored) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => byLengthThenBytes(a, b))
      .map(([key, entry]) => [key, stored(entry)]),
  ) as T;
}
