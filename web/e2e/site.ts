// The real program in a folder of its own, for tests and figures.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './browser';
import { PATIENCE_MS } from './patience';

export class Site {
  /** Where it listens; the same after it was started again. */
  address = '';
  private readonly data = mkdtempSync(join(tmpdir(), 'oware-e2e-'));
  private readonly options: readonly string[];
  private child: ChildProcess | null = null;

  private constructor(options: readonly string[]) {
    this.options = options;
  }

  /** Starts the site, with a computer that answers at once and no tables to build. */
  static async start(options: readonly string[] = []): Promise<Site> {
    const site = new Site(options);
    await site.run('127.0.0.1:0');
    const page = await fetch(site.address);
    if (!page.ok) throw new Error(`the site has no pages: ${await page.text()}`);
    return site;
  }

  /** Starts it once more on the same data, where it was. */
  again(): Promise<void> {
    return this.run(new URL(this.address).host);
  }

  private async run(listen: string): Promise<void> {
    const child = spawn(
      program('OWARE_BIN'),
      [
        ...['serve', '--listen', listen, '--data', this.data],
        ...['--table-seeds', '0', '--think-ms', '0-50', ...this.options],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.child = child;
    this.address = await new Promise<string>((resolve, reject) => {
      let said = '';
      const fail = (why: string): void => reject(new Error(`the site ${why}: ${said}`));
      const timer = setTimeout(() => fail('says nothing'), PATIENCE_MS);
      const hear = (chunk: Buffer): void => {
        said += chunk.toString();
        const found = /http:\/\/[\d.]+:\d+/.exec(said);
        if (!found) return;
        clearTimeout(timer);
        resolve(found[0]);
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', (code) => fail(`ended with ${code}`));
    });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    await gone;
    clearTimeout(timer);
  }

  /** Ends it with no time for anything, as a loss of power would. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** Asks it to end, and waits until it has. */
  quit(): Promise<void> {
    return this.end('SIGTERM');
  }

  /** Ends it and removes its data. */
  async stop(): Promise<void> {
    await this.quit();
    rmSync(this.data, { recursive: true, force: true });
  }
}
