FROM node:24-slim AS base
WORKDIR /errand

FROM base AS build
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts scripts
RUN node scripts/bundle-threads.ts
# npm keeps TypeScript, which valibot names as an optional peer.
RUN npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund && rm -rf node_modules/typescript node_modules/@typescript

FROM base
# With this threshold glibc gives the memory of large buffers back to the system once they are freed.
ENV NODE_ENV=production MALLOC_MMAP_THRESHOLD_=131072
COPY package.json ./
COPY --from=build /errand/node_modules node_modules
COPY --from=build /errand/packages packages
COPY --from=build /errand/dist dist
COPY functions functions
COPY infra infra
USER node
# Which entry a container runs is said in infra.
CMD ["node", "functions/chat-container.ts"]
