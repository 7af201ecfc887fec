FROM node:22-slim AS packages
WORKDIR /peridot
COPY package.json package-lock.json ./
# The image below brings Bun itself.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/bun node_modules/@oven

FROM oven/bun:1.4.5-slim
WORKDIR /peridot
COPY --from=packages /peridot/node_modules ./node_modules
COPY package.json tsconfig.json ./
COPY migrations ./migrations
COPY public ./public
COPY src ./src
RUN mkdir /data && chown bun:bun /data
ENV HOST=0.0.0.0
ENV PORT=8787
ENV DATABASE_URL=file:/data/peridot.db
ENV KV_URL=file:/data/kv.db
VOLUME /data
EXPOSE 8787
USER bun
HEALTHCHECK --interval=10s --start-period=20s CMD ["bun", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`)).ok ? 0 : 1)"]
CMD ["bun", "src/bun.ts"]
