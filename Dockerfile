# Errand on one machine. `docker compose up` starts it with a DynamoDB; on x64 the image also runs alone, with the embedded one.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /errand

FROM base AS build
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts scripts
RUN node scripts/build-local.ts
# npm keeps TypeScript, which valibot names as an optional peer.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -r node_modules/typescript node_modules/@typescript

FROM base
# With this threshold glibc gives the memory of large buffers back to the system once they are freed.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=131072
RUN mkdir -m 700 /data && chown node:node /data
COPY package.json LICENSE ./
COPY --from=build /errand/node_modules node_modules
COPY --from=build /errand/packages packages
COPY --from=build /errand/dist dist
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node takes the signals itself: a SIGTERM ends the service in order, within 15 s.
CMD ["node", "packages/local/main.ts"]
