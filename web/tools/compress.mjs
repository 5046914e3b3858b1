// Writes a .gz and a .br beside each file of the built pages that gains by it, so that the server
// never compresses the same bytes twice. Prints what a first visit loads.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = new URL('../dist/', import.meta.url).pathname;
const texts = new Set(['.html', '.js', '.css', '.svg', '.json', '.ftl', '.txt', '.webmanifest']);

function* files(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}

let total = 0;
let compressed = 0;
for (const path of [...files(root)]) {
  if (!texts.has(extname(path))) continue;
  const bytes = readFileSync(path);
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
  const gzip = gzipSync(bytes, { level: 9 });
  total += bytes.length;
  compressed += Math.min(brotli.length, bytes.length);
  if (brotli.length < bytes.length) writeFileSync(`${path}.br`, brotli);
  if (gzip.length < bytes.length) writeFileSync(`${path}.gz`, gzip);
}
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
console.log(`all pages: ${kilobytes(total)}, compressed ${kilobytes(compressed)}`);
