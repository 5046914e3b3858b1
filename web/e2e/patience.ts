// How long the tests wait: one limit for all of them, long enough for a slow machine that is busy
// with others. A test that passes never waits longer than it must.

/** How long anything may take that a page shows or a program says, in milliseconds. */
export const PATIENCE_MS = 60_000;

/** How long one test may take, and what prepares the tests of a file. */
export const TEST_MS = 10 * PATIENCE_MS;
