// Which tests failed and why, a few lines for each, after all else that is said: the end of a log
// tells it. Also written to the file that OWARE_FAILED names.

import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

type Failure = { readonly message: string };

/** Of long messages the beginning tells enough. */
const LINES = 6;
const WIDTH = 300;

function line(name: string, failures: readonly Failure[]): string {
  const why = failures.flatMap(({ message }) => message.trim().split('\n').slice(0, LINES));
  return [name, ...why.map((text) => `    ${text.slice(0, WIDTH)}`)].join('\n');
}

/** A line for each test and file that failed, with what it said. */
function* failed(modules: readonly TestModule[]): Generator<string> {
  for (const file of modules) {
    const own = [...file.errors()];
    for (const suite of file.children.allSuites()) own.push(...suite.errors());
    if (own.length > 0) yield line(file.relativeModuleId, own);
    for (const test of file.children.allTests('failed')) {
      yield line(`${file.relativeModuleId} > ${test.fullName}`, errors(test));
    }
  }
}

function errors(test: TestCase): readonly Failure[] {
  return test.result().errors ?? [];
}

export default class Failed implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], others: readonly Failure[]): void {
    const all = [...failed(modules)];
    if (others.length > 0) all.push(line('outside of any test', others));
    if (all.length === 0) return;
    const text = `${all.join('\n')}\n`;
    console.log(`failed:\n${text}`);
    const file = process.env['OWARE_FAILED'];
    if (file) writeFileSync(file, text);
  }
}
