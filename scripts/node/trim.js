// Runs after each installation. Nothing here compiles native add-ons, so the second Node keeps no C++ headers (67 MB).
const { rmSync } = require('node:fs');
const { join } = require('node:path');
const { optionalDependencies } = require('./binary/package.json');

for (const name of Object.keys(optionalDependencies))
  rmSync(join(__dirname, '../../node_modules', name, 'include'), { recursive: true, force: true });
