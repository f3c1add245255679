/** Reads the API, the token and the project of GitHub or GitLab from the environment of a job. */
import { httpApi, type HttpApi } from "../http-api";

export type Provider = "github" | "gitlab";

export interface CodeHost {
  readonly api: HttpApi;
  readonly token: string;
  /** Path of the repository or project in the API. */
  readonly project: string;
}

export function github(environment: NodeJS.ProcessEnv): CodeHost {
  const token = required(environment, "GITHUB_TOKEN");
  const api = httpApi({
    base: environment["GITHUB_API_URL"] || "https://api.github.com",
    variable: "GITHUB_API_URL",
    credential: { authorization: `Bearer ${token}` },
    headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
  });
  const repository = required(environment, "GITHUB_REPOSITORY").split("/").map(encodeURIComponent).join("/");
  return { api, token, project: `/repos/${repository}` };
}

export function gitlab(environment: NodeJS.ProcessEnv): CodeHost {
  const base = required(environment, "CI_API_V4_URL");
  const project = `/projects/${encodeURIComponent(required(environment, "CI_PROJECT_ID"))}`;
  const token = required(environment, "GITLAB_TOKEN");
  const api = httpApi({ base, variable: "CI_API_V4_URL", credential: { "private-token": token } });
  return { api, token, project };
}

export function required(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw new Error(`${name} is not set`);
}
