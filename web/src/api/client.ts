// Talks to the JSON API. Every failure becomes an `ApiFault`, so that pages show one kind of
// trouble: what the server refused, or that it could not be reached.

import type { Fault } from './types';

/** What went wrong with a request. `status` is 0 where no answer came. */
export class ApiFault extends Error {
  readonly status: number;
  readonly fault: Fault;

  constructor(status: number, fault: Fault) {
    super(fault.message);
    this.status = status;
    this.fault = fault;
  }
}

const UNREACHED: Fault = { code: 'unreached', message: 'the server did not answer' };

function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value;
}

async function send(method: string, path: string, body: unknown, signal?: AbortSignal) {
  const init: RequestInit = { method, credentials: 'same-origin' };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiFault(0, UNREACHED);
  }
  if (response.ok) return response;
  let fault: unknown;
  try {
    fault = await response.json();
  } catch {
    fault = null;
  }
  if (!isFault(fault)) fault = { code: 'internal', message: `status ${response.status}` };
  throw new ApiFault(response.status, fault as Fault);
}

async function json<T>(response: Response): Promise<T> {
  // Some answers have no body: they say all by their status.
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return json<T>(await send('GET', path, undefined, signal));
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return json<T>(await send('POST', path, body, signal));
}

export async function put<T>(path: string, body: unknown): Promise<T> {
  return json<T>(await send('PUT', path, body));
}

export async function remove<T>(path: string, body?: unknown): Promise<T> {
  return json<T>(await send('DELETE', path, body));
}

/**
 * Sends a question whose answer comes as lines of JSON, one for each step, and hands each to
 * `each` as it arrives. Aborting the signal ends the server's work, too.
 */
export async function lines<T>(
  path: string,
  body: unknown,
  each: (line: T) => void,
  signal?: AbortSignal,
): Promise<void> {
  const response = await send('POST', path, body, signal);
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const complete = rest.split('\n');
    rest = done ? '' : (complete.pop() ?? '');
    for (const line of complete) if (line.trim() !== '') each(JSON.parse(line) as T);
    if (done) return;
  }
}
