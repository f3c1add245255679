/** The responses of the service: JSON, 204 without a body, and errors. */
/** An error of the service, in the words of the service. */
export class ServiceError extends Error {
  constructor(
    /** HTTP status of the response. */
    readonly status: number,
    /** The sentence for people. */
    message: string,
    /** The code for programs; absent if the service sends none. */
    readonly errorCode?: string,
    /** Headers of this error alone, such as Retry-After. */
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

const contentType = "application/json; charset=utf-8";

export function errorBody(status: number, message?: string, errorCode?: string) {
  const error = reasons[status] ?? `Status ${status}`;
  return { statusCode: status, error, message: message ?? error, ...(errorCode && { errorCode }) };
}

export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": contentType, ...headers } });

/** The service sends a content type even though the response has no body. */
export const noContent = () => new Response(null, { status: 204, headers: { "content-type": contentType } });

/** The body of an error at the token endpoint. */
export const tokenError = (error: string, error_description: string) => ({ error, error_description });

/** The error in the form of OAuth. */
export const oauthErrorResponse = ({ status, errorCode = "invalid_request", message, headers }: ServiceError) =>
  json(status, tokenError(errorCode, message), headers);

export const errorResponse = ({ status, message, errorCode, headers }: ServiceError) =>
  json(status, errorBody(status, message, errorCode), headers);

/** Sorts the keys of every object as the service stores them: shorter keys first, then by bytes. */
export function inStorageOrder<T>(value: T): T {
  if (Array.isArray(value)) return value.map(inStorageOrder) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => ({ key, bytes: Buffer.from(key), entry }));
  const sorted = entries.toSorted((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes));
  return Object.fromEntries(sorted.map(({ key, entry }) => [key, inStorageOrder(entry)])) as T;
}
