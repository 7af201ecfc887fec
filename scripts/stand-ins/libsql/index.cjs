throw new Error(
  '@libsql/client is there for servers: import @libsql/client/web. Files are opened by node:sqlite.',
);
