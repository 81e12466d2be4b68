// Made of the OpenAPI document by `npm run client:types`.

export interface paths {
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents
         * @description As markdown without an `Authorization` header, or if `Accept` prefers `text/markdown`; as JSON otherwise. The markdown has `default` and the enabled agents of the operator; the JSON has those that the key may use, one's own drafts among them.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Stores what its runs begin with: instructions, and what a creation of a run may say.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the servers of tools that the operator offers
         * @description A run names them in `mcp`.
         */
        get: operations["listServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of this key
         * @description Newest first. With `status` or `search` a page looks through 1000 runs at most: it may be short, or empty, and still have a `cursor`.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Start a run
         * @description As JSON, or as a form with a file. A form has each field once and no others.
         *     The answer is sent when the run is in the queue. Follow its events with the stream.
         */
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/runs/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run
         * @description Its state, its answer once it has one, and what it used.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        /**
         * Delete a finished run
         * @description The run is gone with its events, its files and its `Idempotency-Key`.
         */
        delete: operations["deleteRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/runs/{agentId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description It ends as failed, and what was done is charged. A finished run stays as it is.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/runs/{agentId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a run's events
         * @description Oldest first, each with its time.
         */
        get: operations["listRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agent
         * @description One's own of this name, else the first enabled one, of the organisation and then of the operator.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description All its versions are gone, and its name is free. Runs by it go on.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description Changes at least one of its fields; null takes one of the definition away. Another definition is published as the agent's next version.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/v1/agents/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was published of an agent
         * @description Newest first, without definitions.
         */
        get: operations["listAgentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{name}/versions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a published version of an agent
         * @description The version with its definition.
         */
        get: operations["getAgentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{name}/versions/{number}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish an earlier version of an agent again
         * @description The definition of the version becomes the next version of the agent.
         */
        post: operations["restoreAgentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the key's schedules
         * @description The oldest first, without their outcomes.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Have a run started again and again
         * @description By a cron pattern or after equal times. The body has what each run is created with, as `POST /v1/agents/runs` takes it, beside when that is. Each instant has one run; those that were missed are made up for by one.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a schedule
         * @description With what its runs are created with, its next instant, and what became of the last ones.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule
         * @description Runs that it has started go on.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Change a schedule, or pause it
         * @description What is absent stays; null takes a field away. A change of when it is due counts from now.
         */
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/v1/schedules/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a run of a schedule now
         * @description As if it were due, and beside its instants. A run of it that has not ended is no reason not to.
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a link to upload a file with
         * @description For files that are larger than a request may be. A run then names the file by its `uploadId`.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{agentId}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file that a run saved
         * @description By its signed link, as the result of `save_file` has it. Whoever has the link needs no key.
         */
        get: operations["downloadFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of saved values
         * @description What runs have saved for the account, in order of name.
         */
        get: operations["listValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/values/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a saved value
         * @description The value with the time at which it was saved.
         */
        get: operations["getValue"];
        put?: never;
        post?: never;
        /**
         * Forget a saved value
         * @description Runs can read it no more.
         */
        delete: operations["deleteValue"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the key's webhooks
         * @description The oldest first, without their secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have the ends of runs told to an address
         * @description The endpoint hears of the runs of the key that makes it. Events are signed by the rules of Standard Webhooks, with the secret that this answer alone shows.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Without its secret. It says why it is switched off, if it is.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description What is on its way is not sent any more.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description What is absent stays. What is on its way goes to the new address.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret
         * @description For 24 hours the secret before signs too, so that a receiver can change over.
         */
        post: operations["rotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description One `webhook.test`, which is not repeated. It is sent to a webhook that is switched off too.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was sent to a webhook
         * @description The deliveries of the last seven days, newest first.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description At once, with the same `webhook-id`, and again for 72 hours while it fails.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/runs/{agentId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream a run's events
         * @description Server-sent events: those so far, then live until the terminal one (`done`, `input_required` or `error`).
         *     Each has its `id`, its type as `event`, and as `data` one JSON object on one line, which the schema describes.
         *     Lines that begin with a colon are comments. A stream may end before the terminal event: resume with `Last-Event-ID`.
         */
        get: operations["streamRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the skills that a request may name
         * @description The account's own skills and the enabled ones of the other scopes, by name and without instructions.
         */
        get: operations["listSkills"];
        put?: never;
        /**
         * Create a skill
         * @description From JSON, or from a `SKILL.md` whose front matter has the name and the description.
         */
        post: operations["createSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a skill
         * @description As JSON, or as a `SKILL.md` if `Accept` prefers `text/markdown`.
         */
        get: operations["getSkill"];
        put?: never;
        post?: never;
        /**
         * Delete a skill
         * @description All its versions are gone, and its name is free.
         */
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        /**
         * Change a skill
         * @description Changes at least one of its fields. Other instructions are published as its next version.
         */
        patch: operations["updateSkill"];
        trace?: never;
    };
    "/v1/skills/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was published of a skill
         * @description Newest first, without instructions.
         */
        get: operations["listSkillVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{id}/versions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a published version
         * @description The version with its instructions.
         */
        get: operations["getSkillVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{id}/versions/{number}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish an earlier version again
         * @description The instructions of the version become the next version of the skill.
         */
        post: operations["restoreSkillVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a chat, streamed or in one piece
         * @description Takes OpenAI's request. Parameters that are not listed reach the model as they are, apart from those that would change the price.
         *
         *     With `stream: true`, server-sent events: the `data` of each is one JSON object, on one line, and the last event is `data: [DONE]`.
         *     Lines that begin with a colon are comments that keep the connection open.
         *     `usage` and `impact` are sent once: on the last chunk that has a `finish_reason` or, with `stream_options.include_usage`, on a chunk after it with empty `choices`.
         *     A stream that breaks off has an object with `error` before `[DONE]`.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Embed texts
         * @description Takes OpenAI's request. A vector stands for the meaning of a text: texts that mean alike have vectors that point alike.
         */
        post: operations["createEmbeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models
         * @description Every model twice: as `data` for clients of OpenAI and Anthropic, and as `models` for clients of decisions. The header `anthropic-version`, whatever its value, adds what Anthropic has of a model.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a model
         * @description What it reads, what it costs and what it can do: its entry in `GET /v1/models`.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prices of all models
         * @description Prices in EUR, where they apply, and those that follow. In the order of `GET /v1/models`.
         */
        get: operations["listPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pricing/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a model's price
         * @description Prices in EUR, where they apply, and those that follow.
         */
        get: operations["getPrice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a message, streamed or in one piece
         * @description Takes the request of Anthropic's Messages for every chat and vision model. A key may also be sent as `x-api-key`.
         *
         *     A model whose provider speaks the protocol is sent the request as it came, apart from fields that would change its price or its account. Any other model is asked for a chat completion: fields that a completion cannot express are left out, and tools that a provider would run are a 400 that names them.
         *
         *     With `stream: true`, server-sent events that are named by their `type`. `message_delta` has `usage` and `impact`; an answer that broke off ends with `error` in place of `message_stop`.
         */
        post: operations["createMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the tokens of a message
         * @description Takes the request of a message; `max_tokens` changes nothing. A provider that speaks the protocol is asked, else the tokens are counted here, by the o200k encoding. It costs nothing, and counts in the rate.
         */
        post: operations["countMessageTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/systemone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask questions about a case
         * @description A probability for every possible answer to 1 to 32 questions about a case, all read in one pass of the model.
         */
        post: operations["askSystemOne"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask questions about an input, in OpenAI's words
         * @description A probability for every possible answer to 1 to 400 questions. Those that one pass of the model cannot take are read in several.
         */
        post: operations["createDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a response, streamed or in one piece
         * @description Takes OpenAI's Responses request. A field whose answer would be another if it were ignored is a 400 that names it.
         *
         *     The model `agent:default` is a run, as is `agent:` with the name of a stored agent, and its version after an `@`: the id of the response is that of the run, `background: true` answers at once, and who waits is answered with `status` `in_progress` after 55 s. With `previous_response_id` it goes on from a run that has ended: its `function_call` and `mcp_approval_request` items are answered by `function_call_output` and `mcp_approval_response`. `store: false` is refused: a run is kept.
         *
         *     With `stream: true`, server-sent events that are named by their `type`. The last has the whole response with `usage` and `impact`; an answer that broke off ends with `response.failed`.
         *
         *     Unless `store` is false, it is kept for 24 hours, for the key that asked alone.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a response, or the events of a run
         * @description The response of a chat model is shown as it was told, for 24 hours unless `store` was false. A run is shown as it is: `GET /v1/agents/runs/{id}` tells the same of it.
         *
         *     With `stream=true`, a run's events after `starting_after`, then live until the last one. Lines that begin with a colon are comments. A stream may end before the last event: go on with the `sequence_number` that came last.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Delete a response
         * @description That of a chat model can be neither read nor followed any more; responses that follow it already still know what it said. A run is gone with its events, its files and its `Idempotency-Key`.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a response that works in the background
         * @description A run ends, and what was done is charged. The answer comes when it has ended, or after 55 s. One that has ended stays as it is. Responses of chat models do not work in the background.
         */
        post: operations["cancelResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}/input_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the input of a response
         * @description The items of its own input, without what came before it. A run has the answers to calls that it was given, and one message of its user.
         */
        get: operations["listInputItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use the service as an MCP server
         * @description Streamable HTTP of the Model Context Protocol, without sessions: each request is a message of its own. The protocol describes the messages; `tools/list` describes the tools.
         */
        post: operations["callMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the account's balance
         * @description With its newest ledger entries. Amounts are decimal strings of EUR; a charge is negative.
         */
        get: operations["getCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credits/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List ledger entries
         * @description Newest first. Amounts are decimal strings of EUR; a charge is negative.
         */
        get: operations["listCreditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up what was used and charged
         * @description Of the last 30 days if no times are given. With `Accept: text/csv` the rows come as CSV with a head.
         */
        get: operations["reportUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether requests can be served
         * @description They cannot while the store does not answer, or after the last write of this process has failed, until one succeeds. What is said of the store may be a second old.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the process lives
         * @description For whoever restarts processes. It does not look at the store.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document
         * @description Every route, in OpenAPI 3.1.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AgentList: {
            /** @description Every agent. */
            agents: {
                /** @description What `agent` of a run names. */
                id: string;
                /** @description The name to show. */
                displayName: string;
                /** @description What the agent does. */
                description: string;
                /** @description The tools that it has. Absent on a stored agent, whose definition says. */
                tools?: ("web_search" | "web_crawl" | "document_parse" | "vision" | "audio_transcribe" | "save_data" | "save_file")[];
                /** @description The fields of a run, as JSON Schema has them. */
                input: {
                    /** @constant */
                    type: "object";
                    /** @description The fields by their names. */
                    properties: {
                        /** @description A field of the input. */
                        question: {
                            /** @constant */
                            type: "string";
                            /** @description What the field is for. */
                            description: string;
                        };
                        /** @description A field of the input. */
                        documentUrl: {
                            /** @constant */
                            type: "string";
                            /** @description What the field is for. */
                            description: string;
                        };
                        /** @description A field of the input. */
                        audioUrl: {
                            /** @constant */
                            type: "string";
                            /** @description What the field is for. */
                            description: string;
                        };
                    };
                    /** @description The fields that a run must have. */
                    required: "question"[];
                };
                /** @description Whose a stored agent is: `user`, `organisation`, or the name of the operator's scope. */
                scope?: string;
                /** @description The published version of a stored agent; null if it has none. */
                version?: number | null;
                /** @description Whether a stored agent is more than a draft, which its own account alone sees. */
                enabled?: boolean;
            }[];
        };
        ServiceError: {
            /** @description What is wrong, in words. */
            error: string;
            /** @description What is wrong, for programs; where refusals of one status differ. */
            code?: string;
        };
        ServerList: {
            /** @description In the order of the catalogue. */
            servers: {
                /** @description What `mcp` of a run names, and the beginning of the names of its tools. */
                name: string;
                /** @description The only tools of it that are offered. */
                allowedTools?: string[];
            }[];
        };
        /** @description A skill by its name, or one of its published versions. */
        SkillReference: string | {
            /** @description The name of the skill. */
            name: string;
            /** @description The number of a published version. */
            version: number;
        };
        NewRun: {
            /** @description What the run must do. */
            question?: string;
            /** @description A document or image at a publicly reachable URL. An image is looked at first; a document is read when the model needs it. */
            documentUrl?: string;
            /** @description A recording of a meeting at a publicly reachable URL. It is transcribed first. */
            audioUrl?: string;
            /** @description An upload made with POST /v1/uploads, in place of a file. */
            uploadId?: string;
            /** @description The agent that the run is by: its name, for what it is now, or its name and a published version, as `researcher@3`. Without it: that of the run before, else `default`, which is the service's own. */
            agent?: string;
            skills?: components["schemas"]["SkillReference"];
            /** @description Kept with the run and returned with it. */
            metadata?: {
                [key: string]: string;
            };
            /** @description The only tools that the run may use; every tool if absent. The files that come with the question are read in any case. */
            tools?: ("web_search" | "web_crawl" | "document_parse" | "vision" | "audio_transcribe" | "save_data" | "save_file" | "read_data" | "write_todos")[];
            /** @description Servers of tools that the run may use beside its own (Model Context Protocol). */
            mcp?: (string | {
                /** @description The beginning of the names of its tools: `label__tool`. Each server has its own. */
                label: string;
                /** @description The https address where the server speaks the Model Context Protocol (streamable HTTP). */
                url: string;
                /** @description What the server is sent as `Authorization`: a token, or a scheme and its value. It is kept until the run ends and never shown. */
                authorization?: string;
                /** @description The only tools of it that the run may use, by the server's names; all if absent. */
                allowedTools?: string[];
                /**
                 * @description Whether a call whose outcome is unknown, because its worker ended, is made again. By the tool's own annotations if absent: only a tool that reads alone, or is idempotent, is called again.
                 * @enum {string}
                 */
                repeat?: "always" | "never";
            })[];
            /** @description The most that the run may cost, in EUR. It then answers with what it has. */
            maxCredits?: string;
            /** @description An earlier run of the same key, which has ended. This one goes on from what it asked, answered and read. Without a question it carries on with what the other was at. */
            previousRunId?: string;
            /** @description Functions of yours that the model may call. A run that calls one ends as `awaiting_input`, with its calls; a run that goes on from it brings `functionResults`. */
            functions?: {
                /** @description What the model calls. No other tool of the run has this name. */
                name: string;
                /** @description What the function does. */
                description?: string;
                /** @description A JSON schema of its arguments. */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @description Whether the model is held to the schema, where its provider can do so. */
                strict?: boolean;
            }[];
            /** @description What your functions returned, for each of the calls that `previousRunId` asks for. */
            functionResults?: {
                /** @description The `id` of the call that was asked for. */
                callId: string;
                /** @description What the function returned. */
                result?: string;
                /** @description Why it failed. The model reads it. */
                error?: string;
            }[];
            /** @description Calls that are made only once you have approved them: of tools by name, as `save_file`, `label__tool` or `label__*`, or `writes`: of every tool that is not known only to read. `!label__tool` leaves one out. With `auto`, a decision model approves those for which the question asks, and is charged; you are asked about the others. A run that needs approval ends as `awaiting_input`, with the calls. */
            approve?: ("writes" | "auto") | string[];
            /** @description With `auto`: the least probability with which a call is made without asking. 0.9 if absent. */
            approveThreshold?: number;
            /** @description Whether the calls that `previousRunId` asks about may be made. */
            approvals?: {
                /** @description The `id` of the call that was asked for. */
                callId: string;
                /** @description Whether the call may be made. */
                approve: boolean;
                /** @description Why not. The model reads it. */
                reason?: string;
                /** @description The `digest` of the call, if you want it compared with what you saw. */
                digest?: string;
            }[];
            /** @description A JSON Schema, whose root is an object. The answer is then JSON that fits it, and `output` of the run is the value. */
            outputSchema?: {
                [key: string]: unknown;
            };
            /** @description The model that works on the question: a chat or vision model that takes tools. */
            model?: string;
            /** @description Whether a decision model checks the cited claims of the answer. It is charged. */
            proof?: boolean;
            /**
             * @description How careful the run is. `low`: few rounds, and no proof unless it is asked for. `medium`: as without it. `high`: many rounds, and sub-runs that work on parts of the question beside each other.
             * @enum {string}
             */
            effort?: "low" | "medium" | "high";
            /** @description An https address that is told of the run's end, beside the key's webhooks. The key's oldest webhook signs it. */
            webhookUrl?: string;
        };
        NewRunForm: {
            /** @description What the run must do. */
            question?: string;
            /** @description A document or image at a publicly reachable URL. An image is looked at first; a document is read when the model needs it. */
            documentUrl?: string;
            /** @description A recording of a meeting at a publicly reachable URL. It is transcribed first. */
            audioUrl?: string;
            /** @description The agent that the run is by: its name, for what it is now, or its name and a published version, as `researcher@3`. Without it: that of the run before, else `default`, which is the service's own. */
            agent?: string;
            /** @description A skill by its name, or the object of `NewRun` as JSON. */
            skills?: string;
            /** @description Kept with the run and returned with it: the object of `NewRun` as JSON. */
            metadata?: string;
            /** @description The only tools that the run may use: the list of `NewRun` as JSON. */
            tools?: string;
            /** @description Servers of tools that the run may use: the list of `NewRun` as JSON. */
            mcp?: string;
            /** @description The most that the run may cost, in EUR. It then answers with what it has. */
            maxCredits?: string;
            /** @description An earlier run of the same key, which has ended. This one goes on from what it asked, answered and read. Without a question it carries on with what the other was at. */
            previousRunId?: string;
            /** @description Functions of yours that the model may call: the list of `NewRun` as JSON. */
            functions?: string;
            /** @description What your functions returned: the list of `NewRun` as JSON. */
            functionResults?: string;
            /** @description Calls that need your approval: a rule, or the list of `NewRun` as JSON. */
            approve?: string;
            /** @description The least probability with which `auto` approves a call. */
            approveThreshold?: string;
            /** @description Whether calls may be made: the list of `NewRun` as JSON. */
            approvals?: string;
            /** @description The JSON Schema of the answer: the object of `NewRun` as JSON. */
            outputSchema?: string;
            /** @description The model that works on the question: a chat or vision model that takes tools. */
            model?: string;
            /**
             * @description Whether a decision model checks the cited claims of the answer. It is charged.
             * @enum {string}
             */
            proof?: "true" | "false";
            /**
             * @description How careful the run is. `low`: few rounds, and no proof unless it is asked for. `medium`: as without it. `high`: many rounds, and sub-runs that work on parts of the question beside each other.
             * @enum {string}
             */
            effort?: "low" | "medium" | "high";
            /** @description An https address that is told of the run's end, beside the key's webhooks. The key's oldest webhook signs it. */
            webhookUrl?: string;
            /**
             * Format: binary
             * @description An image, a recording or a document. Give it a name with an ending, such as `report.pdf`: the ending decides how it is read.
             */
            file: Blob;
        };
        AcceptedRun: {
            /** @description The run's id. */
            agentId: string;
            /**
             * @description The run waits for a worker.
             * @constant
             */
            status: "queued";
        };
        SkillFieldError: {
            /** @description The refusal. */
            error: {
                /** @description What is wrong, in words. */
                message: string;
                type: string;
                /**
                 * @description The field that is wrong.
                 * @enum {string}
                 */
                param: "skills" | "agent";
                /** @description What is wrong, for programs. */
                code: string;
                /**
                 * @description Why the skill, or the agent, could not be used.
                 * @enum {string}
                 */
                reason?: "unknown" | "disabled" | "unknown_version" | "unversioned";
            };
        };
        UnpaidError: {
            /** @description What is wrong, in words. */
            error: string;
            /** @description What is wrong, for programs; where refusals of one status differ. */
            code?: string;
            /** @description What is there to pay with, in EUR, if the credits do not suffice. */
            available?: string;
            /** @description What is set aside for such a request, in EUR. Less is enough if it pays for the input. */
            needed?: string;
        };
        /** @description What the run waits for; absent if it does not wait. */
        RunWait: {
            /**
             * @description `model_provider`: the provider fails, or is at capacity, and nothing is charged meanwhile. `queue`: a worker with a free place, or the end of other runs of the account. `worker`: another worker takes the run over, because its own fell silent. `sub_runs`: the runs that work on its questions, at no cost of its own.
             * @enum {string}
             */
            for: "model_provider" | "queue" | "worker" | "sub_runs";
            /**
             * Format: date-time
             * @description Since when the run waits.
             */
            since: string;
            /**
             * Format: date-time
             * @description When the wait is over at the latest. Absent if nobody knows, and if that time has passed.
             */
            until?: string;
            /**
             * Format: date-time
             * @description When the provider is asked again. A time that has passed: it is being asked.
             */
            retryAt?: string;
        };
        AskedCall: {
            /** @description What `callId` of an answer names. */
            id: string;
            /**
             * @description `function`: a function of the caller, whose result goes into `functionResults`. `approval`: a call that the run makes once `approvals` allows it.
             * @enum {string}
             */
            type: "function" | "approval";
            /** @description The function or tool. */
            name: string;
            /** @description Its arguments: the JSON that the model wrote. */
            arguments: string;
            /** @description The SHA-256 of name, line feed and arguments, in hex. */
            digest: string;
            /** @description The probability that the question asks for the call, if it was judged. */
            probability?: number;
        };
        /** @description What a run that is `awaiting_input` asks of its caller. A run with its id as `previousRunId` brings it. */
        RunAsked: {
            /** @description The fields that a run which goes on from this one has to bring. */
            expected: {
                /**
                 * @description A field of the input.
                 * @enum {string}
                 */
                name: "question" | "documentUrl" | "audioUrl" | "file" | "functionResults" | "approvals";
                /** @description What it is for. */
                description: string;
            }[];
            /** @description The calls that the caller makes, or has to approve. */
            calls?: components["schemas"]["AskedCall"][];
        };
        /** @description The stored agent that the run is by, as it was when the run was created. Absent if it is the service's own. */
        RunByAgent: {
            /** @description Its name. */
            name: string;
            /** @description Its published version. */
            version?: number;
        };
        UrlCitation: {
            title: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "url_citation";
            url: string;
            /** @description The number by which `result` names the source. */
            number?: number;
            /** @description Where the claim begins in `result`, in UTF-16 units from 0. */
            startIndex: number;
            /** @description Where it ends in `result`, in UTF-16 units; exclusive. */
            endIndex: number;
            /** @description The text of the source that is nearest to the claim. */
            passage?: string;
            /** @description The words of `passage` that are nearest to the claim, as they stand there. */
            quote?: string;
            /** @description Where the passage is in its original: `page 12`, `sheet Costs`, `slide 3`, `00:12:33`. */
            place?: string;
            /** @description The probability that the passages of the claim support it. */
            support?: number;
        };
        FileCitation: {
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "file_citation";
            /** @description The name of the file that was sent with the question. */
            filename: string;
            /** @description The number by which `result` names the source. */
            number?: number;
            /** @description Where the claim begins in `result`, in UTF-16 units from 0. */
            startIndex: number;
            /** @description Where it ends in `result`, in UTF-16 units; exclusive. */
            endIndex: number;
            /** @description The text of the source that is nearest to the claim. */
            passage?: string;
            /** @description The words of `passage` that are nearest to the claim, as they stand there. */
            quote?: string;
            /** @description Where the passage is in its original: `page 12`, `sheet Costs`, `slide 3`, `00:12:33`. */
            place?: string;
            /** @description The probability that the passages of the claim support it. */
            support?: number;
        };
        Citation: components["schemas"]["UrlCitation"] | components["schemas"]["FileCitation"];
        BasisField: {
            /** @description A JSON Pointer into `output`. */
            pointer: string;
            /** @description Those of `citations` that are about it. */
            citations: components["schemas"]["Citation"][];
            /** @description The probability that the passages of the claim support it. */
            support?: number;
        };
        /** @description What the run used so far. */
        RunUsage: {
            /** @description Tokens that its models read. */
            inputTokens: number;
            /** @description The part of `inputTokens` from the providers' prompt caches. */
            cachedInputTokens?: number;
            /** @description Tokens that its models wrote. */
            outputTokens: number;
            /** @description The part of `outputTokens` that was hidden reasoning. */
            reasoningTokens?: number;
            /** @description Seconds of recordings that were transcribed. */
            audioSeconds: number;
            /** @description Completions of the model that worked on the question. */
            completions?: number;
            /** @description What was charged: EUR, as a decimal. */
            credits: string;
        };
        Run: {
            /** @description The run's id. */
            agentId: string;
            /**
             * @description A run that is `queued` or `running` goes on; the other states are final.
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed" | "awaiting_input";
            waiting?: components["schemas"]["RunWait"];
            /**
             * @description Why the run answered before its model was ready to; `schema`: it failed, because nothing that its model wrote fitted `outputSchema`.
             * @enum {string}
             */
            stopReason?: "rounds" | "credits" | "schema";
            /** @description The answer, or what is missing. */
            result?: string;
            /** @description Why the run failed. */
            error?: string;
            asked?: components["schemas"]["RunAsked"];
            /**
             * Format: date-time
             * @description When the run was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description Until when the run can be read.
             */
            expiresAt: string;
            /** @description The run that it goes on from. */
            previousRunId?: string;
            /** @description The first run of its chain. `thread` of the list takes it. */
            thread?: string;
            /** @description The schedule that started it. */
            scheduleId?: string;
            /** @description The run whose sub-run it is. */
            parentRunId?: string;
            /** @description The beginning of what was asked; in a list its first line. */
            question?: string;
            /** @description What came as `metadata` with the question. */
            metadata?: {
                [key: string]: string;
            };
            agent?: components["schemas"]["RunByAgent"];
            /**
             * @description What came as `effort` with the question.
             * @enum {string}
             */
            effort?: "low" | "medium" | "high";
            /** @description The model that worked on the question. */
            model?: string;
            /** @description The sources of claims in `result`, in their order. */
            citations?: components["schemas"]["Citation"][];
            /** @description Statements of `result` that have figures or names and cite nothing, in a run with sources. */
            uncitedSentences?: number;
            /** @description The facts of `output`: its texts, numbers and flags that the schema does not decide alone. Not in lists. */
            basis?: components["schemas"]["BasisField"][];
            /** @description The pointers of facts whose support is under the threshold. They are null in `output` where the schema allows it. */
            unsupported?: string[];
            usage: components["schemas"]["RunUsage"];
            /** @description The value that fits `outputSchema`: `result` is its text. Not in lists. */
            output?: {
                [key: string]: unknown;
            };
        };
        RunList: {
            /** @description Newest first. */
            runs: components["schemas"]["Run"][];
            /** @description The next page's `cursor`; absent on the last page. */
            cursor?: string;
        };
        StepStartEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "step_start";
            /** @description The number of the step, from 1. */
            step: number;
            /** @description What the step is for. */
            description: string;
        };
        ToolCallEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call";
            /** @description The tool that is called. */
            toolName: string;
            /** @description An object in a forced step; a string of JSON where the model wrote it. */
            input: {
                [key: string]: unknown;
            } | string;
            /** @description Why the call was made without asking, where `approve` has `auto`. */
            approval?: {
                /** @description The probability that the question asks for the call, which approved it. */
                probability: number;
            };
        };
        ToolResultEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_result";
            /** @description The tool that is called. */
            toolName: string;
            /** @description What the tool answered. A failure begins with `Error:`, and does not end the run. */
            result: string;
        };
        SubRunEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sub_run";
            /** @description The run that works on the question. */
            runId: string;
            /** @description What it works on. */
            question: string;
            /**
             * @description `queued`: it has been started. Then how it has ended.
             * @enum {string}
             */
            status: "queued" | "succeeded" | "failed";
        };
        TextEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            /** @description A whole message of the model. */
            text: string;
        };
        StepCompleteEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "step_complete";
            /** @description The number of the step, from 1. */
            step: number;
        };
        /** @description Terminal: what a new run has to bring. */
        InputRequiredEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_required";
            /** @description What is missing. */
            message: string;
            /** @description The fields that a run which goes on from this one has to bring. */
            expected: {
                /**
                 * @description A field of the input.
                 * @enum {string}
                 */
                name: "question" | "documentUrl" | "audioUrl" | "file" | "functionResults" | "approvals";
                /** @description What it is for. */
                description: string;
            }[];
            /** @description The calls that the caller makes, or has to approve. */
            calls?: components["schemas"]["AskedCall"][];
        };
        /** @description Terminal: the answer. */
        DoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "done";
            /** @description The answer, equal to `result` of the run. */
            finalText: string;
        };
        /** @description Terminal: why the run failed. */
        ErrorEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            /** @description Why, equal to `error` of the run. */
            message: string;
        };
        /** @description An event of the run. */
        RunEvent: components["schemas"]["StepStartEvent"] | components["schemas"]["ToolCallEvent"] | components["schemas"]["ToolResultEvent"] | components["schemas"]["SubRunEvent"] | components["schemas"]["TextEvent"] | components["schemas"]["StepCompleteEvent"] | components["schemas"]["InputRequiredEvent"] | components["schemas"]["DoneEvent"] | components["schemas"]["ErrorEvent"];
        StoredRunEvent: {
            /** @description Its number in the run, from 1. `after` and `Last-Event-ID` take it. */
            id: number;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            at: string;
            event: components["schemas"]["RunEvent"];
        };
        RunEventPage: {
            /** @description Oldest first. */
            events: components["schemas"]["StoredRunEvent"][];
            /** @description Whether more events follow. */
            more: boolean;
        };
        NewAgent: {
            /** @description At most 64 code points: letters, digits, hyphens and underscores, a letter or digit first */
            name: string;
            /** @description At most 500 code points */
            description?: string;
            /** @description What the agent is told before every question. */
            instructions: string;
            /** @description The model that works on the question: a chat or vision model that takes tools. */
            model?: string;
            /** @description The only tools that the run may use; every tool if absent. The files that come with the question are read in any case. */
            tools?: ("web_search" | "web_crawl" | "document_parse" | "vision" | "audio_transcribe" | "save_data" | "save_file" | "read_data" | "write_todos")[];
            /** @description Servers of tools that its runs may use beside their own (Model Context Protocol). */
            mcp?: (string | {
                /** @description The beginning of the names of its tools: `label__tool`. Each server has its own. */
                label: string;
                /** @description The https address where the server speaks the Model Context Protocol (streamable HTTP). */
                url: string;
                /** @description The only tools of it that the run may use, by the server's names; all if absent. */
                allowedTools?: string[];
                /**
                 * @description Whether a call whose outcome is unknown, because its worker ended, is made again. By the tool's own annotations if absent: only a tool that reads alone, or is idempotent, is called again.
                 * @enum {string}
                 */
                repeat?: "always" | "never";
            })[];
            skills?: components["schemas"]["SkillReference"];
            /** @description A JSON Schema, whose root is an object. The answer is then JSON that fits it, and `output` of the run is the value. */
            outputSchema?: {
                [key: string]: unknown;
            };
            /** @description Whether a decision model checks the cited claims of the answer. It is charged. */
            proof?: boolean;
            /** @description Calls that are made only once you have approved them: of tools by name, as `save_file`, `label__tool` or `label__*`, or `writes`: of every tool that is not known only to read. `!label__tool` leaves one out. With `auto`, a decision model approves those for which the question asks, and is charged; you are asked about the others. A run that needs approval ends as `awaiting_input`, with the calls. */
            approve?: ("writes" | "auto") | string[];
            /**
             * @description How careful the run is. `low`: few rounds, and no proof unless it is asked for. `medium`: as without it. `high`: many rounds, and sub-runs that work on parts of the question beside each other.
             * @enum {string}
             */
            effort?: "low" | "medium" | "high";
            /** @description The most that the run may cost, in EUR. It then answers with what it has. */
            maxCredits?: string;
            /** @description The fields that a run may replace. It may narrow the others. */
            open?: ("model" | "tools" | "mcp" | "skills" | "outputSchema" | "proof" | "approve" | "effort" | "maxCredits")[];
        };
        Agent: {
            id: string;
            /** @description The name that requests use. */
            name: string;
            /** @description What the agent is for; empty if not given. */
            description: string;
            /** @description Whether the agent may be used. */
            enabled: boolean;
            /** @description Whose it is: `user`, `organisation` or the operator's, which is called `provider` by default. */
            scope: string;
            /** @description The number of the newest published version; null for an agent without versions. */
            version: number | null;
            createdAt: string;
            updatedAt: string;
            /** @description What the agent is told before every question. */
            instructions: string;
            /** @description The model that works on the question: a chat or vision model that takes tools. */
            model?: string;
            /** @description The only tools that the run may use; every tool if absent. The files that come with the question are read in any case. */
            tools?: ("web_search" | "web_crawl" | "document_parse" | "vision" | "audio_transcribe" | "save_data" | "save_file" | "read_data" | "write_todos")[];
            /** @description Servers of tools that its runs may use beside their own (Model Context Protocol). */
            mcp?: (string | {
                /** @description The beginning of the names of its tools: `label__tool`. Each server has its own. */
                label: string;
                /** @description The https address where the server speaks the Model Context Protocol (streamable HTTP). */
                url: string;
                /** @description The only tools of it that the run may use, by the server's names; all if absent. */
                allowedTools?: string[];
                /**
                 * @description Whether a call whose outcome is unknown, because its worker ended, is made again. By the tool's own annotations if absent: only a tool that reads alone, or is idempotent, is called again.
                 * @enum {string}
                 */
                repeat?: "always" | "never";
            })[];
            skills?: components["schemas"]["SkillReference"];
            /** @description A JSON Schema, whose root is an object. The answer is then JSON that fits it, and `output` of the run is the value. */
            outputSchema?: {
                [key: string]: unknown;
            };
            /** @description Whether a decision model checks the cited claims of the answer. It is charged. */
            proof?: boolean;
            /** @description Calls that are made only once you have approved them: of tools by name, as `save_file`, `label__tool` or `label__*`, or `writes`: of every tool that is not known only to read. `!label__tool` leaves one out. With `auto`, a decision model approves those for which the question asks, and is charged; you are asked about the others. A run that needs approval ends as `awaiting_input`, with the calls. */
            approve?: ("writes" | "auto") | string[];
            /**
             * @description How careful the run is. `low`: few rounds, and no proof unless it is asked for. `medium`: as without it. `high`: many rounds, and sub-runs that work on parts of the question beside each other.
             * @enum {string}
             */
            effort?: "low" | "medium" | "high";
            /** @description The most that the run may cost, in EUR. It then answers with what it has. */
            maxCredits?: string;
            /** @description The fields that a run may replace. It may narrow the others. */
            open?: ("model" | "tools" | "mcp" | "skills" | "outputSchema" | "proof" | "approve" | "effort" | "maxCredits")[];
        };
        AgentPatch: {
            /** @description At most 64 code points: letters, digits, hyphens and underscores, a letter or digit first */
            name?: string;
            /** @description At most 500 code points */
            description?: string;
            /** @description What the agent is told before every question. */
            instructions?: string;
            /** @description Whether the agent may be used. */
            enabled?: boolean;
            /** @description The model that works on the question: a chat or vision model that takes tools. */
            model?: string | null;
            /** @description The only tools that the run may use; every tool if absent. The files that come with the question are read in any case. */
            tools?: ("web_search" | "web_crawl" | "document_parse" | "vision" | "audio_transcribe" | "save_data" | "save_file" | "read_data" | "write_todos")[] | null;
            /** @description Servers of tools that its runs may use beside their own (Model Context Protocol). */
            mcp?: (string | {
                /** @description The beginning of the names of its tools: `label__tool`. Each server has its own. */
                label: string;
                /** @description The https address where the server speaks the Model Context Protocol (streamable HTTP). */
                url: string;
                /** @description The only tools of it that the run may use, by the server's names; all if absent. */
                allowedTools?: string[];
                /**
                 * @description Whether a call whose outcome is unknown, because its worker ended, is made again. By the tool's own annotations if absent: only a tool that reads alone, or is idempotent, is called again.
                 * @enum {string}
                 */
                repeat?: "always" | "never";
            })[] | null;
            /** @description A skill by its name, or one of its published versions. */
            skills?: components["schemas"]["SkillReference"] | null;
            /** @description A JSON Schema, whose root is an object. The answer is then JSON that fits it, and `output` of the run is the value. */
            outputSchema?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether a decision model checks the cited claims of the answer. It is charged. */
            proof?: boolean | null;
            /** @description Calls that are made only once you have approved them: of tools by name, as `save_file`, `label__tool` or `label__*`, or `writes`: of every tool that is not known only to read. `!label__tool` leaves one out. With `auto`, a decision model approves those for which the question asks, and is charged; you are asked about the others. A run that needs approval ends as `awaiting_input`, with the calls. */
            approve?: (("writes" | "auto") | string[]) | null;
            /** @description How careful the run is. `low`: few rounds, and no proof unless it is asked for. `medium`: as without it. `high`: many rounds, and sub-runs that work on parts of the question beside each other. */
            effort?: ("low" | "medium" | "high") | null;
            /** @description The most that the run may cost, in EUR. It then answers with what it has. */
            maxCredits?: string | null;
            /** @description The fields that a run may replace. It may narrow the others. */
            open?: ("model" | "tools" | "mcp" | "skills" | "outputSchema" | "proof" | "approve" | "effort" | "maxCredits")[] | null;
        };
        AgentVersionSummary: {
            /** @description 1 for the first version, one higher for each that follows. */
            number: number;
            /** @description SHA-256, as lower-case hex, of the definition as JSON without spaces, its fields in the order of this documentation. */
            digest: string;
            createdAt: string;
        };
        AgentVersionList: {
            /** @description Newest first. */
            versions: components["schemas"]["AgentVersionSummary"][];
            /** @description The next page's `cursor`; absent on the last page. */
            cursor?: string;
        };
        AgentVersion: {
            /** @description 1 for the first version, one higher for each that follows. */
            number: number;
            /** @description SHA-256, as lower-case hex, of the definition as JSON without spaces, its fields in the order of this documentation. */
            digest: string;
            createdAt: string;
            /** @description What the agent is told before every question. */
            instructions: string;
            /** @description The model that works on the question: a chat or vision model that takes tools. */
            model?: string;
            /** @description The only tools that the run may use; every tool if absent. The files that come with the question are read in any case. */
            tools?: ("web_search" | "web_crawl" | "document_parse" | "vision" | "audio_transcribe" | "save_data" | "save_file" | "read_data" | "write_todos")[];
            /** @description Servers of tools that its runs may use beside their own (Model Context Protocol). */
            mcp?: (string | {
                /** @description The beginning of the names of its tools: `label__tool`. Each server has its own. */
                label: string;
                /** @description The https address where the server speaks the Model Context Protocol (streamable HTTP). */
                url: string;
                /** @description The only tools of it that the run may use, by the server's names; all if absent. */
                allowedTools?: string[];
                /**
                 * @description Whether a call whose outcome is unknown, because its worker ended, is made again. By the tool's own annotations if absent: only a tool that reads alone, or is idempotent, is called again.
                 * @enum {string}
                 */
                repeat?: "always" | "never";
            })[];
            skills?: components["schemas"]["SkillReference"];
            /** @description A JSON Schema, whose root is an object. The answer is then JSON that fits it, and `output` of the run is the value. */
            outputSchema?: {
                [key: string]: unknown;
            };
            /** @description Whether a decision model checks the cited claims of the answer. It is charged. */
            proof?: boolean;
            /** @description Calls that are made only once you have approved them: of tools by name, as `save_file`, `label__tool` or `label__*`, or `writes`: of every tool that is not known only to read. `!label__tool` leaves one out. With `auto`, a decision model approves those for which the question asks, and is charged; you are asked about the others. A run that needs approval ends as `awaiting_input`, with the calls. */
            approve?: ("writes" | "auto") | string[];
            /**
             * @description How careful the run is. `low`: few rounds, and no proof unless it is asked for. `medium`: as without it. `high`: many rounds, and sub-runs that work on parts of the question beside each other.
             * @enum {string}
             */
            effort?: "low" | "medium" | "high";
            /** @description The most that the run may cost, in EUR. It then answers with what it has. */
            maxCredits?: string;
            /** @description The fields that a run may replace. It may narrow the others. */
            open?: ("model" | "tools" | "mcp" | "skills" | "outputSchema" | "proof" | "approve" | "effort" | "maxCredits")[];
        };
        NewSchedule: {
            /** @description What the run must do. */
            question?: string;
            /** @description A document or image at a publicly reachable URL. An image is looked at first; a document is read when the model needs it. */
            documentUrl?: string;
            /** @description A recording of a meeting at a publicly reachable URL. It is transcribed first. */
            audioUrl?: string;
            /** @description The agent that the run is by: its name, for what it is now, or its name and a published version, as `researcher@3`. Without it: that of the run before, else `default`, which is the service's own. */
            agent?: string;
            skills?: components["schemas"]["SkillReference"];
            /** @description Kept with the run and returned with it. */
            metadata?: {
                [key: string]: string;
            };
            /** @description The only tools that the run may use; every tool if absent. The files that come with the question are read in any case. */
            tools?: ("web_search" | "web_crawl" | "document_parse" | "vision" | "audio_transcribe" | "save_data" | "save_file" | "read_data" | "write_todos")[];
            /** @description Servers of tools that the run may use beside its own (Model Context Protocol). */
            mcp?: (string | {
                /** @description The beginning of the names of its tools: `label__tool`. Each server has its own. */
                label: string;
                /** @description The https address where the server speaks the Model Context Protocol (streamable HTTP). */
                url: string;
                /** @description What the server is sent as `Authorization`: a token, or a scheme and its value. It is kept until the run ends and never shown. */
                authorization?: string;
                /** @description The only tools of it that the run may use, by the server's names; all if absent. */
                allowedTools?: string[];
                /**
                 * @description Whether a call whose outcome is unknown, because its worker ended, is made again. By the tool's own annotations if absent: only a tool that reads alone, or is idempotent, is called again.
                 * @enum {string}
                 */
                repeat?: "always" | "never";
            })[];
            /** @description The most that the run may cost, in EUR. It then answers with what it has. */
            maxCredits?: string;
            /** @description Functions of yours that the model may call. A run that calls one ends as `awaiting_input`, with its calls; a run that goes on from it brings `functionResults`. */
            functions?: {
                /** @description What the model calls. No other tool of the run has this name. */
                name: string;
                /** @description What the function does. */
                description?: string;
                /** @description A JSON schema of its arguments. */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @description Whether the model is held to the schema, where its provider can do so. */
                strict?: boolean;
            }[];
            /** @description Calls that are made only once you have approved them: of tools by name, as `save_file`, `label__tool` or `label__*`, or `writes`: of every tool that is not known only to read. `!label__tool` leaves one out. With `auto`, a decision model approves those for which the question asks, and is charged; you are asked about the others. A run that needs approval ends as `awaiting_input`, with the calls. */
            approve?: ("writes" | "auto") | string[];
            /** @description With `auto`: the least probability with which a call is made without asking. 0.9 if absent. */
            approveThreshold?: number;
            /** @description A JSON Schema, whose root is an object. The answer is then JSON that fits it, and `output` of the run is the value. */
            outputSchema?: {
                [key: string]: unknown;
            };
            /** @description The model that works on the question: a chat or vision model that takes tools. */
            model?: string;
            /** @description Whether a decision model checks the cited claims of the answer. It is charged. */
            proof?: boolean;
            /**
             * @description How careful the run is. `low`: few rounds, and no proof unless it is asked for. `medium`: as without it. `high`: many rounds, and sub-runs that work on parts of the question beside each other.
             * @enum {string}
             */
            effort?: "low" | "medium" | "high";
            /** @description An https address that is told of the run's end, beside the key's webhooks. The key's oldest webhook signs it. */
            webhookUrl?: string;
            /** @description What people call it. */
            name?: string;
            /** @description When it is due: minute, hour, day of month, month and day of week, in `timeZone`. Without `every`. */
            cron?: string;
            /** @description Again and again after this time, such as `15m`, `6h` or `1d`. Without `cron`. */
            every?: string;
            /** @description The time zone of `cron`, by its name in the IANA database; UTC if absent. */
            timeZone?: string;
            /**
             * @description What becomes of an instant whose run before has not ended: it is left out (`skip`, if absent), or its run starts when the other has ended (`queue`).
             * @enum {string}
             */
            overlap?: "skip" | "queue";
            /**
             * Format: date-time
             * @description It is not due after this time.
             */
            until?: string;
            /** @description Webhooks are told of a result only if this holds. Without it they are told of each. It is charged as a decision. */
            notifyIf?: {
                /** @description Answered by yes or no about the result and the result before, by the decision model. */
                question: string;
                /** @description The least probability of yes; 0.5 if absent. */
                threshold?: number;
            };
            /** @description A paused schedule is not due. What passes meanwhile is not made up for. */
            paused?: boolean;
        };
        ScheduleOutcome: {
            /**
             * Format: date-time
             * @description The instant; when a run was created that was asked for at once.
             */
            at: string;
            /** @description Whether the run was asked for at once. */
            manual?: boolean;
            /**
             * @description The status of the run, `deleted` if it was deleted before it was seen to end, or why there is none: the run before had not ended (`skipped`), the service `refused` it, or it could `not_started` be through a fault of the service.
             * @enum {string}
             */
            status: "running" | "succeeded" | "failed" | "awaiting_input" | "deleted" | "skipped" | "refused" | "not_started";
            /** @description The run. */
            agentId?: string;
            /**
             * Format: date-time
             * @description When the run was created.
             */
            startedAt?: string;
            /** @description Later instants that passed before the run started, which it makes up for; 100 at most. */
            missed?: number;
            /** @description Why there is no run, or no probability. */
            reason?: string;
            /** @description The answer to `notifyIf`. */
            probability?: number;
        };
        Schedule: {
            /** @description The id of the schedule. */
            id: string;
            /** @description What people call it. */
            name?: string;
            /** @description The agent that its runs are by, as it was sent. */
            agent?: string;
            /** @description What each run must do; in a list its beginning. */
            question?: string;
            /** @description When it is due. */
            cron?: string;
            /** @description When it is due, counted from `since`. */
            every?: string;
            /**
             * Format: date-time
             * @description From when `every` is counted.
             */
            since?: string;
            /** @description The time zone of `cron`. */
            timeZone: string;
            /**
             * @description What becomes of an instant whose run before has not ended.
             * @enum {string}
             */
            overlap: "skip" | "queue";
            /**
             * Format: date-time
             * @description It is not due after this time.
             */
            until?: string;
            /** @description When webhooks are told of a result. */
            notifyIf?: {
                /** @description Asked about the result and the result before. */
                question: string;
                /** @description The least probability of yes. */
                threshold: number;
            };
            /** @description Whether it is paused. */
            paused: boolean;
            /** @description Why it is not due any more. A change of it may have it go on. */
            stopped?: {
                /**
                 * @description Its key was revoked or has expired, `until` has passed, or there is no further instant.
                 * @enum {string}
                 */
                reason: "key_revoked" | "key_expired" | "until" | "no_instant";
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                at: string;
            };
            /**
             * Format: date-time
             * @description The next instant.
             */
            nextAt?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description What became of the last 10 instants, newest first. */
            outcomes: components["schemas"]["ScheduleOutcome"][];
        } & {
            [key: string]: unknown;
        };
        ListedSchedule: {
            /** @description The id of the schedule. */
            id: string;
            /** @description What people call it. */
            name?: string;
            /** @description The agent that its runs are by, as it was sent. */
            agent?: string;
            /** @description What each run must do; in a list its beginning. */
            question?: string;
            /** @description When it is due. */
            cron?: string;
            /** @description When it is due, counted from `since`. */
            every?: string;
            /**
             * Format: date-time
             * @description From when `every` is counted.
             */
            since?: string;
            /** @description The time zone of `cron`. */
            timeZone: string;
            /**
             * @description What becomes of an instant whose run before has not ended.
             * @enum {string}
             */
            overlap: "skip" | "queue";
            /**
             * Format: date-time
             * @description It is not due after this time.
             */
            until?: string;
            /** @description When webhooks are told of a result. */
            notifyIf?: {
                /** @description Asked about the result and the result before. */
                question: string;
                /** @description The least probability of yes. */
                threshold: number;
            };
            /** @description Whether it is paused. */
            paused: boolean;
            /** @description Why it is not due any more. A change of it may have it go on. */
            stopped?: {
                /**
                 * @description Its key was revoked or has expired, `until` has passed, or there is no further instant.
                 * @enum {string}
                 */
                reason: "key_revoked" | "key_expired" | "until" | "no_instant";
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                at: string;
            };
            /**
             * Format: date-time
             * @description The next instant.
             */
            nextAt?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        ScheduleList: {
            /** @description The oldest first. */
            schedules: components["schemas"]["ListedSchedule"][];
        };
        SchedulePatch: {
            /** @description What the run must do. */
            question?: string | null;
            /** @description A document or image at a publicly reachable URL. An image is looked at first; a document is read when the model needs it. */
            documentUrl?: string | null;
            /** @description A recording of a meeting at a publicly reachable URL. It is transcribed first. */
            audioUrl?: string | null;
            /** @description The agent that the run is by: its name, for what it is now, or its name and a published version, as `researcher@3`. Without it: that of the run before, else `default`, which is the service's own. */
            agent?: string | null;
            /** @description A skill by its name, or one of its published versions. */
            skills?: components["schemas"]["SkillReference"] | null;
            /** @description Kept with the run and returned with it. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description The only tools that the run may use; every tool if absent. The files that come with the question are read in any case. */
            tools?: ("web_search" | "web_crawl" | "document_parse" | "vision" | "audio_transcribe" | "save_data" | "save_file" | "read_data" | "write_todos")[] | null;
            /** @description Servers of tools that the run may use beside its own (Model Context Protocol). */
            mcp?: (string | {
                /** @description The beginning of the names of its tools: `label__tool`. Each server has its own. */
                label: string;
                /** @description The https address where the server speaks the Model Context Protocol (streamable HTTP). */
                url: string;
                /** @description What the server is sent as `Authorization`: a token, or a scheme and its value. It is kept until the run ends and never shown. */
                authorization?: string;
                /** @description The only tools of it that the run may use, by the server's names; all if absent. */
                allowedTools?: string[];
                /**
                 * @description Whether a call whose outcome is unknown, because its worker ended, is made again. By the tool's own annotations if absent: only a tool that reads alone, or is idempotent, is called again.
                 * @enum {string}
                 */
                repeat?: "always" | "never";
            })[] | null;
            /** @description The most that the run may cost, in EUR. It then answers with what it has. */
            maxCredits?: string | null;
            /** @description Functions of yours that the model may call. A run that calls one ends as `awaiting_input`, with its calls; a run that goes on from it brings `functionResults`. */
            functions?: {
                /** @description What the model calls. No other tool of the run has this name. */
                name: string;
                /** @description What the function does. */
                description?: string;
                /** @description A JSON schema of its arguments. */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @description Whether the model is held to the schema, where its provider can do so. */
                strict?: boolean;
            }[] | null;
            /** @description Calls that are made only once you have approved them: of tools by name, as `save_file`, `label__tool` or `label__*`, or `writes`: of every tool that is not known only to read. `!label__tool` leaves one out. With `auto`, a decision model approves those for which the question asks, and is charged; you are asked about the others. A run that needs approval ends as `awaiting_input`, with the calls. */
            approve?: (("writes" | "auto") | string[]) | null;
            /** @description With `auto`: the least probability with which a call is made without asking. 0.9 if absent. */
            approveThreshold?: number | null;
            /** @description A JSON Schema, whose root is an object. The answer is then JSON that fits it, and `output` of the run is the value. */
            outputSchema?: {
                [key: string]: unknown;
            } | null;
            /** @description The model that works on the question: a chat or vision model that takes tools. */
            model?: string | null;
            /** @description Whether a decision model checks the cited claims of the answer. It is charged. */
            proof?: boolean | null;
            /** @description How careful the run is. `low`: few rounds, and no proof unless it is asked for. `medium`: as without it. `high`: many rounds, and sub-runs that work on parts of the question beside each other. */
            effort?: ("low" | "medium" | "high") | null;
            /** @description An https address that is told of the run's end, beside the key's webhooks. The key's oldest webhook signs it. */
            webhookUrl?: string | null;
            /** @description What people call it. */
            name?: string | null;
            /** @description When it is due: minute, hour, day of month, month and day of week, in `timeZone`. Without `every`. */
            cron?: string | null;
            /** @description Again and again after this time, such as `15m`, `6h` or `1d`. Without `cron`. */
            every?: string | null;
            /** @description The time zone of `cron`, by its name in the IANA database; UTC if absent. */
            timeZone?: string | null;
            /** @description What becomes of an instant whose run before has not ended: it is left out (`skip`, if absent), or its run starts when the other has ended (`queue`). */
            overlap?: ("skip" | "queue") | null;
            /** @description It is not due after this time. */
            until?: string | null;
            /** @description Webhooks are told of a result only if this holds. Without it they are told of each. It is charged as a decision. */
            notifyIf?: {
                /** @description Answered by yes or no about the result and the result before, by the decision model. */
                question: string;
                /** @description The least probability of yes; 0.5 if absent. */
                threshold?: number;
            } | null;
            /** @description A paused schedule is not due. What passes meanwhile is not made up for. */
            paused?: boolean;
        };
        NewUpload: {
            /** @description Its extension decides how the file is read and how large it may be. */
            filename: string;
            /** @description Bytes. */
            size: number;
        };
        UploadTicket: {
            /** @description Goes into the create-run request once the file is uploaded. */
            uploadId: string;
            /** @description Takes exactly this file. */
            url: string;
            /**
             * @description The method to send the file with.
             * @constant
             */
            method: "PUT";
            /** @description To be sent with the file. */
            headers: {
                [key: string]: string;
            };
            /** @description When the url stops taking the file. */
            expiresAt: string;
        };
        SavedValueName: {
            /** @description The name that a run gave it. */
            name: string;
            /**
             * Format: date-time
             * @description When it was saved last.
             */
            updatedAt: string;
        };
        SavedValueList: {
            /** @description In order of name. */
            values: components["schemas"]["SavedValueName"][];
            /** @description The next page's `cursor`; absent on the last page. */
            cursor?: string;
        };
        SavedValue: {
            /** @description The name that a run gave it. */
            name: string;
            /**
             * Format: date-time
             * @description When it was saved last.
             */
            updatedAt: string;
            /** @description What was saved. */
            value: string;
        };
        NewWebhook: {
            /** @description Where events are sent: a public https address. */
            url: string;
            /** @description What the endpoint hears of. */
            events: ("run.succeeded" | "run.failed" | "run.awaiting_input" | "credits.low" | "budget.reached" | "schedule.result")[];
            /** @description What the endpoint is for, in your words. */
            description?: string;
        };
        WebhookWithSecret: {
            id: string;
            /** @description Where events are sent. */
            url: string;
            /** @description What the endpoint hears of. */
            events: ("run.succeeded" | "run.failed" | "run.awaiting_input" | "credits.low" | "budget.reached" | "schedule.result")[];
            /** @description What the endpoint is for; empty if not given. */
            description: string;
            /** @description Whether events are sent. */
            enabled: boolean;
            /**
             * @description Why no events are sent: `owner` switched it off, the receiver is `gone` (it answered 410), or it was `failing` for three days.
             * @enum {string}
             */
            disabledReason?: "owner" | "gone" | "failing";
            /**
             * Format: date-time
             * @description Since when no events are sent.
             */
            disabledAt?: string;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation signs too.
             */
            previousSecretUntil?: string;
            createdAt: string;
            updatedAt: string;
            /** @description Signs what is sent, by the rules of Standard Webhooks. It is shown this once. */
            secret: string;
        };
        Webhook: {
            id: string;
            /** @description Where events are sent. */
            url: string;
            /** @description What the endpoint hears of. */
            events: ("run.succeeded" | "run.failed" | "run.awaiting_input" | "credits.low" | "budget.reached" | "schedule.result")[];
            /** @description What the endpoint is for; empty if not given. */
            description: string;
            /** @description Whether events are sent. */
            enabled: boolean;
            /**
             * @description Why no events are sent: `owner` switched it off, the receiver is `gone` (it answered 410), or it was `failing` for three days.
             * @enum {string}
             */
            disabledReason?: "owner" | "gone" | "failing";
            /**
             * Format: date-time
             * @description Since when no events are sent.
             */
            disabledAt?: string;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation signs too.
             */
            previousSecretUntil?: string;
            createdAt: string;
            updatedAt: string;
        };
        WebhookList: {
            /** @description The oldest first. */
            webhooks: components["schemas"]["Webhook"][];
        };
        WebhookPatch: {
            /** @description Where events are sent: a public https address. */
            url?: string;
            /** @description What the endpoint hears of. */
            events?: ("run.succeeded" | "run.failed" | "run.awaiting_input" | "credits.low" | "budget.reached" | "schedule.result")[];
            /** @description What the endpoint is for, in your words. */
            description?: string;
            /** @description Whether events are sent. `true` also forgets why they were not. */
            enabled?: boolean;
        };
        WebhookDelivery: {
            /** @description The `webhook-id` that it is sent with, and `-run` after it if it went to the address of a run. */
            id: string;
            /**
             * @description The event.
             * @enum {string}
             */
            type: "run.succeeded" | "run.failed" | "run.awaiting_input" | "credits.low" | "budget.reached" | "schedule.result" | "webhook.test";
            /**
             * @description Whether it is on its way, arrived or was given up.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            /** @description How often it was sent. */
            attempts: number;
            /** @description The address that the run named, if it went there. */
            url?: string;
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was sent last.
             */
            lastAttemptAt?: string;
            /**
             * Format: date-time
             * @description When it is sent next.
             */
            nextAttemptAt?: string;
            /** @description The receiver's last answer. */
            response?: {
                /** @description The HTTP status. */
                status: number;
                /** @description The first kilobyte of the body. */
                body: string;
            };
            /** @description Why there was no answer, or why it is not sent any more. */
            error?: string;
        };
        WebhookDeliveryList: {
            /** @description Newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description The next page's `cursor`; absent on the last page. */
            cursor?: string;
        };
        SkillSummary: {
            id: string;
            /** @description The name that requests use. */
            name: string;
            /** @description What the skill is for; empty if not given. */
            description: string;
            /** @description Whether the skill may be used. */
            enabled: boolean;
            /** @description Whose it is: `user`, `organisation` or the operator's, which is called `provider` by default. */
            scope: string;
            /** @description The number of the newest published version; null for a skill without versions. */
            version: number | null;
            createdAt: string;
            updatedAt: string;
        };
        SkillList: {
            /** @description By name. */
            skills: components["schemas"]["SkillSummary"][];
        };
        NewSkill: {
            /** @description At most 64 code points: letters, digits, hyphens and underscores, a letter or digit first */
            name: string;
            /** @description At most 500 code points */
            description?: string;
            /** @description At most 20000 code points */
            instructions: string;
        };
        Skill: {
            id: string;
            /** @description The name that requests use. */
            name: string;
            /** @description What the skill is for; empty if not given. */
            description: string;
            /** @description Whether the skill may be used. */
            enabled: boolean;
            /** @description Whose it is: `user`, `organisation` or the operator's, which is called `provider` by default. */
            scope: string;
            /** @description The number of the newest published version; null for a skill without versions. */
            version: number | null;
            createdAt: string;
            updatedAt: string;
            /** @description What the model is told. */
            instructions: string;
        };
        InstructionsTooLong: {
            /** @description The refusal. */
            error: {
                /** @description What is wrong, in words. */
                message: string;
                /** @description What is wrong, for programs. */
                code: string;
                /** @description The most code points that instructions may have. */
                limit: number;
                /** @description The code points that these have. */
                actual: number;
            };
        };
        SkillPatch: {
            /** @description At most 64 code points: letters, digits, hyphens and underscores, a letter or digit first */
            name?: string;
            /** @description At most 500 code points */
            description?: string;
            /** @description At most 20000 code points */
            instructions?: string;
            /** @description Whether the skill may be used. */
            enabled?: boolean;
        };
        SkillVersionSummary: {
            /** @description 1 for the first version, one higher for each that follows. */
            number: number;
            /** @description SHA-256 of the instructions, as lower-case hex. */
            digest: string;
            createdAt: string;
            /** @description Tokens of the skill's block, by the o200k encoding. */
            tokens: number;
        };
        SkillVersionList: {
            /** @description Newest first. */
            versions: components["schemas"]["SkillVersionSummary"][];
            /** @description The next page's `cursor`; absent on the last page. */
            cursor?: string;
        };
        SkillVersion: {
            /** @description 1 for the first version, one higher for each that follows. */
            number: number;
            /** @description SHA-256 of the instructions, as lower-case hex. */
            digest: string;
            createdAt: string;
            /** @description Tokens of the skill's block, by the o200k encoding. */
            tokens: number;
            /** @description What the model is told. */
            instructions: string;
        };
        ChatTextPart: {
            /** @constant */
            type: "text";
            /** @description The text of the part. */
            text: string;
        } & {
            [key: string]: unknown;
        };
        ChatImagePart: {
            /** @constant */
            type: "image_url";
            /** @description The image. */
            image_url: ({
                /** @description An address, or a data URL. */
                url: string;
                /** @description How closely the model looks, such as `low`, `high` or `auto`. */
                detail?: string;
            } & {
                [key: string]: unknown;
            }) | string;
        } & {
            [key: string]: unknown;
        };
        /** @description A part that the model knows. */
        ChatOtherPart: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        ChatToolCall: {
            id: string;
            type?: string;
            /** @description The function that is called. */
            function?: {
                /** @description Its name. */
                name: string;
                /** @description JSON, as the model wrote it. */
                arguments: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        ChatMessage: {
            /** @description `system`, `developer`, `user`, `assistant` or `tool`. */
            role: string;
            /** @description A text, or parts such as texts and images. */
            content?: string | (components["schemas"]["ChatTextPart"] | components["schemas"]["ChatImagePart"] | components["schemas"]["ChatOtherPart"])[] | null;
            /** @description Who speaks, where several have one role. */
            name?: string | null;
            /** @description Tools that an `assistant` message calls. */
            tool_calls?: components["schemas"]["ChatToolCall"][] | null;
            /** @description The call that a `tool` message answers. */
            tool_call_id?: string | null;
            /** @description Why an `assistant` message does not answer. */
            refusal?: string | null;
        } & {
            [key: string]: unknown;
        };
        ChatTool: {
            /** @description `function` or `custom`. */
            type: string;
            /** @description The function, if the tool is one. */
            function?: {
                /** @description The name that the model calls. */
                name: string;
                /** @description What it does, for the model. */
                description?: string;
                /** @description The JSON Schema of the arguments. */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @description Whether the arguments must keep to the schema. */
                strict?: boolean | null;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        ChatCompletionRequest: {
            /** @description The id of a chat or vision model of `GET /v1/models`. */
            model: string;
            /** @description The conversation so far, oldest first. */
            messages: components["schemas"]["ChatMessage"][];
            /** @description Whether the answer comes in chunks. */
            stream?: boolean | null;
            /** @description How the answer is streamed. */
            stream_options?: ({
                /** @description Sends `usage` and `impact` in a chunk of their own, with empty `choices`. */
                include_usage?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description How many answers, at most 8 unless the operator says otherwise. */
            n?: number | null;
            /** @description The most tokens of an answer. */
            max_tokens?: number | null;
            /** @description The newer name of `max_tokens`. */
            max_completion_tokens?: number | null;
            skills?: components["schemas"]["SkillReference"];
            /** @description Is passed on to the model. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description A mark of the caller for their own user. */
            user?: string | null;
            /** @description Another such mark. */
            safety_identifier?: string | null;
            /** @description Requests that begin alike. */
            prompt_cache_key?: string | null;
            /** @description How much chance there is in the choice of words. */
            temperature?: number | null;
            /** @description The share of probability that words are chosen from, up to 1. */
            top_p?: number | null;
            /** @description Texts at which the answer ends. */
            stop?: (string | string[]) | null;
            /** @description Makes repetitions more alike. */
            seed?: number | null;
            /** @description Keeps from words that stand there already. */
            presence_penalty?: number | null;
            /** @description Keeps from words that stand there often. */
            frequency_penalty?: number | null;
            /** @description What is added to the logit of a token, by the id of the token. */
            logit_bias?: {
                [key: string]: number;
            } | null;
            /** @description Whether tokens come with their probabilities. */
            logprobs?: boolean | null;
            /** @description How many of the likeliest tokens come at each place, with `logprobs`. */
            top_logprobs?: number | null;
            /** @description Tools that the model may call. The caller carries the calls out. */
            tools?: components["schemas"]["ChatTool"][] | null;
            /** @description Whether the model may or must call tools, or which one. */
            tool_choice?: (("none" | "auto" | "required") | ({
                /** @description `function`, or a type that the model knows. */
                type: string;
                /** @description The function that must be called. */
                function?: {
                    /** @description Its name. */
                    name: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            })) | null;
            /** @description Whether one answer may call several tools. */
            parallel_tool_calls?: boolean | null;
            /** @description The form of the answer. */
            response_format?: ({
                /**
                 * @description What is asked for.
                 * @enum {string}
                 */
                type: "text" | "json_object" | "json_schema";
                /** @description What `json_schema` asks for. */
                json_schema?: {
                    /** @description A name for the schema. */
                    name?: string;
                    /** @description What the answer is for, for the model. */
                    description?: string;
                    /** @description The JSON Schema of the answer. */
                    schema?: {
                        [key: string]: unknown;
                    };
                    /** @description Whether the answer must keep to the schema. */
                    strict?: boolean | null;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description How much a model thinks that can, such as `low`, `medium` or `high`. */
            reasoning_effort?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The answer. Fields of the model may stand beside those that are listed. */
        ChatAnswerMessage: {
            /** @description Who speaks: `assistant`. */
            role?: string;
            /** @description The text of the answer. */
            content?: string | null;
            /** @description Why the model does not answer. */
            refusal?: string | null;
            /** @description Tools that the model calls. */
            tool_calls?: components["schemas"]["ChatToolCall"][] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Tokens with their probabilities, if they were asked for. */
        ChatLogprobs: {
            /** @description Tokens of the answer. */
            content?: ({
                /** @description The text of the token. */
                token: string;
                /** @description The natural logarithm of its probability. */
                logprob: number | null;
                /** @description Its bytes in UTF-8. */
                bytes?: number[] | null;
                /** @description The likeliest tokens at this place. */
                top_logprobs?: ({
                    /** @description The text of the token. */
                    token: string;
                    /** @description The natural logarithm of its probability. */
                    logprob: number | null;
                    /** @description Its bytes in UTF-8. */
                    bytes?: number[] | null;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Tokens of a refusal. */
            refusal?: ({
                /** @description The text of the token. */
                token: string;
                /** @description The natural logarithm of its probability. */
                logprob: number | null;
                /** @description Its bytes in UTF-8. */
                bytes?: number[] | null;
            } & {
                [key: string]: unknown;
            })[] | null;
        } & {
            [key: string]: unknown;
        };
        ChatChoice: {
            /** @description Its place among the answers, from 0. */
            index?: number;
            message: components["schemas"]["ChatAnswerMessage"];
            /** @description Why the answer ended: `stop`, `length`, `tool_calls`, `content_filter` or a reason of the model. */
            finish_reason?: string | null;
            /** @description Tokens with their probabilities, if they were asked for. */
            logprobs?: components["schemas"]["ChatLogprobs"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The tokens of a completion. */
        ChatUsage: {
            /** @description Tokens that were read. */
            prompt_tokens: number;
            /** @description Tokens that were written. */
            completion_tokens: number;
            /** @description Both together. */
            total_tokens?: number;
            /** @description Parts of `prompt_tokens`. */
            prompt_tokens_details?: ({
                /** @description Tokens from the provider's prompt cache. */
                cached_tokens?: number | null;
                /** @description Tokens written into the provider's prompt cache. */
                cache_write_tokens?: number | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Parts of `completion_tokens`. */
            completion_tokens_details?: ({
                /** @description Tokens of hidden reasoning. */
                reasoning_tokens?: number | null;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The time, energy and emissions of the work. */
        Impact: {
            /** @description The day on which the numbers behind the figures last changed: `YYYYMMDD`. */
            version: string;
            /** @description The provider's time alone in ms (milliseconds). */
            inferenceTime: {
                /** @description A whole number, at least 1, in `unit`. */
                total: number;
                /**
                 * @description milliseconds
                 * @constant
                 */
                unit: "ms";
            };
            /** @description The energy that the work took in Wms (watt-milliseconds: 1 Wms is 1 mJ). */
            energy: {
                /** @description A whole number, at least 1, in `unit`. */
                total: number;
                /**
                 * @description watt-milliseconds: 1 Wms is 1 mJ
                 * @constant
                 */
                unit: "Wms";
            };
            /** @description The emissions of the work in ugCO2e (micrograms of CO2 equivalent). */
            emissions: {
                /** @description A whole number, at least 1, in `unit`. */
                total: number;
                /**
                 * @description micrograms of CO2 equivalent
                 * @constant
                 */
                unit: "ugCO2e";
            };
        };
        ChatCompletion: {
            id?: string;
            /** @description Seconds since the epoch. */
            created?: number;
            /** @description The id that was asked for. */
            model: string;
            /** @description The provider's mark for its set-up. */
            system_fingerprint?: string | null;
            /** @constant */
            object?: "chat.completion";
            /** @description The answers: one, or `n` of them. */
            choices: components["schemas"]["ChatChoice"][];
            usage: components["schemas"]["ChatUsage"];
            impact: components["schemas"]["Impact"];
        };
        ChatToolCallDelta: {
            /** @description Which call the piece belongs to. */
            index?: number;
            id?: string | null;
            type?: string | null;
            /** @description The function that is called. */
            function?: ({
                /** @description Its name, once. */
                name?: string | null;
                /** @description A piece of the JSON of its arguments. */
                arguments?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        /** @description What a chunk adds. Fields of the model may stand beside those that are listed. */
        ChatDelta: {
            /** @description Who speaks: `assistant`. */
            role?: string | null;
            /** @description A piece of the answer. */
            content?: string | null;
            /** @description Why the model does not answer. */
            refusal?: string | null;
            /** @description Pieces of calls of tools. */
            tool_calls?: components["schemas"]["ChatToolCallDelta"][] | null;
        } & {
            [key: string]: unknown;
        };
        ChatChunkChoice: {
            /** @description Its place among the answers, from 0. */
            index?: number;
            delta: components["schemas"]["ChatDelta"];
            /** @description Why the answer ended: `stop`, `length`, `tool_calls`, `content_filter` or a reason of the model. */
            finish_reason?: string | null;
            /** @description Tokens with their probabilities, if they were asked for. */
            logprobs?: components["schemas"]["ChatLogprobs"] | null;
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChunk: {
            id?: string;
            /** @description Seconds since the epoch. */
            created?: number;
            /** @description The id that was asked for. */
            model: string;
            /** @description The provider's mark for its set-up. */
            system_fingerprint?: string | null;
            /** @constant */
            object?: "chat.completion.chunk";
            /** @description What the chunk adds to each answer; empty on a chunk that has usage alone. */
            choices: components["schemas"]["ChatChunkChoice"][];
            /** @description The tokens of the completion. On one of the last chunks. */
            usage?: components["schemas"]["ChatUsage"] | null;
            impact?: components["schemas"]["Impact"];
        };
        OpenAiError: {
            /** @description The refusal. */
            error: {
                /** @description What is wrong, in words. */
                message: string;
                /** @description `invalid_request_error` if the request caused it, `server_error` if it did not. */
                type: string;
                /** @description The field of the request that is wrong, if one is. */
                param: string | null;
                /** @description What is wrong, for programs. */
                code: string | null;
                /**
                 * @description Why a skill could not be used.
                 * @enum {string}
                 */
                reason?: "unknown" | "disabled" | "unknown_version" | "unversioned";
            };
        };
        /** @description The JSON of one event of a stream. The last event, `[DONE]`, is none. */
        ChatCompletionEvent: components["schemas"]["ChatCompletionChunk"] | components["schemas"]["OpenAiError"];
        EmbeddingRequest: {
            /** @description The id of an embedding model of `GET /v1/models`. */
            model: string;
            /** @description What is embedded: a text, the tokens of a text as the model numbers them, or a list of either. */
            input: string | string[] | number[] | number[][];
            /** @description How vectors are written: as numbers, which is usual, or as the base64 of 32-bit floats whose least byte is the first. */
            encoding_format?: ("float" | "base64") | null;
            /** @description How many numbers a vector has, where the model can choose. */
            dimensions?: number | null;
            /** @description A mark of the caller for their own user. */
            user?: string | null;
        };
        Embedding: {
            /** @constant */
            object: "embedding";
            /** @description The place of its text in `input`, from 0. */
            index: number;
            /** @description The vector, as `encoding_format` says. */
            embedding: number[] | string;
        };
        EmbeddingList: {
            /** @constant */
            object: "list";
            /** @description A vector for each text, in their order. */
            data: components["schemas"]["Embedding"][];
            /** @description The id that was asked for. */
            model: string;
            /** @description The tokens that were read. */
            usage: {
                /** @description All of them. */
                prompt_tokens: number;
                /** @description The same: nothing is written. */
                total_tokens: number;
            };
            impact: components["schemas"]["Impact"];
        };
        Model: {
            id: string;
            /** @constant */
            object: "model";
            /**
             * @description The same for Anthropic's clients.
             * @constant
             */
            type: "model";
            /** @description Its id, for Anthropic's clients. */
            display_name: string;
            /** @description When the model was released: 1970 where that is not known. */
            created_at: string;
            /** @description When the model was released, in seconds since the epoch; 0 where that is not known. */
            created: number;
            /** @description Who offers the model, for OpenAI's clients. */
            owned_by: string;
            /**
             * @description What the model is for.
             * @enum {string}
             */
            kind: "chat" | "vision" | "speech" | "decision" | "embedding";
            /** @description How many tokens it reads; absent where that is not known. */
            context_length?: number;
            /** @description The prices that hold now. */
            pricing: {
                /**
                 * @description The currency of all prices.
                 * @constant
                 */
                currency: "EUR";
                /** @description EUR for a million tokens of input. */
                inputPerMillionTokens?: number;
                /** @description EUR for a million tokens of input from the provider's prompt cache. */
                cachedInputPerMillionTokens?: number;
                /** @description EUR for a million tokens of input written into the provider's prompt cache. */
                cacheWritePerMillionTokens?: number;
                /** @description EUR for a million tokens of output. */
                outputPerMillionTokens?: number;
                /** @description EUR for a second of a recording. */
                perSecond?: number;
            };
            /** @description What chat completions with it can do. */
            capabilities: {
                /** @description Whether it calls tools. */
                tools: boolean;
                /** @description Whether it reads images. */
                images: boolean;
                /** @description Whether it keeps to a JSON Schema. */
                structuredOutput: boolean;
                /** @description Whether its answers can be streamed. */
                streaming: boolean;
                /** @description Where the header `anthropic-version` is sent: batches of messages. */
                batch?: {
                    /** @description Whether it is. */
                    supported: boolean;
                };
                /** @description Where the header `anthropic-version` is sent: citations of documents. */
                citations?: {
                    /** @description Whether it is. */
                    supported: boolean;
                };
                /** @description Where the header `anthropic-version` is sent: code that the provider runs. */
                code_execution?: {
                    /** @description Whether it is. */
                    supported: boolean;
                };
                /** @description Where the header `anthropic-version` is sent: edits of the conversation by the provider. */
                context_management?: {
                    /** @description Whether it is. */
                    supported: boolean;
                };
                /** @description Where the header `anthropic-version` is sent: `output_config.effort`. */
                effort?: {
                    /** @description Whether it is. */
                    supported: boolean;
                };
                /** @description Where the header `anthropic-version` is sent: images. */
                image_input?: {
                    /** @description Whether it is. */
                    supported: boolean;
                };
                /** @description Where the header `anthropic-version` is sent: documents. */
                pdf_input?: {
                    /** @description Whether it is. */
                    supported: boolean;
                };
                /** @description Where the header `anthropic-version` is sent: tools that the provider runs. */
                server_tools?: {
                    /** @description Whether it is. */
                    supported: boolean;
                };
                /** @description Where the header `anthropic-version` is sent: `output_config.format`. */
                structured_outputs?: {
                    /** @description Whether it is. */
                    supported: boolean;
                };
                /** @description Where the header `anthropic-version` is sent: `thinking`. */
                thinking?: {
                    /** @description Whether it is. */
                    supported: boolean;
                };
            };
            /** @description Where the header `anthropic-version` is sent: how many tokens it reads. */
            max_input_tokens?: number | null;
            /** @description Where the header `anthropic-version` is sent: the most tokens of an answer. */
            max_tokens?: number | null;
            /**
             * @description Where the header `anthropic-version` is sent: that it is offered.
             * @constant
             */
            lifecycle?: "active";
            /** @description Where the header `anthropic-version` is sent: null. */
            deprecated_at?: string | null;
            /** @description Where the header `anthropic-version` is sent: null. */
            retires_at?: string | null;
            /** @description Where the header `anthropic-version` is sent: null. */
            line?: string | null;
        };
        ModelList: {
            /** @constant */
            object: "list";
            /** @description Every model, for OpenAI's and Anthropic's clients. */
            data: components["schemas"]["Model"][];
            /**
             * @description Never: the list is whole.
             * @constant
             */
            has_more: false;
            /** @description The first id of `data`. */
            first_id: string | null;
            /** @description The last id of `data`. */
            last_id: string | null;
            /** @description The same models, for clients of decisions. */
            models: {
                /** @description The id of the model. */
                name: string;
                /** @description What it does. */
                description: string;
                /** @description The day of its release, `YYYY-MM-DD`; empty where that is not known. */
                release_date: string;
            }[];
        };
        /** @description A refusal in Anthropic's envelope, where `anthropic-version` is sent. */
        AnthropicError: {
            /** @constant */
            type: "error";
            /** @description The refusal. */
            error: {
                /** @description What is wrong, by the status. */
                type: string;
                /** @description What is wrong, in words. */
                message: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The id of the request, as in `Request-Id`. */
            request_id: string;
        };
        /** @description The prices that follow, with the day from which they hold. */
        Price: {
            /** @description The day from which these prices hold: from midnight UTC of `YYYY-MM-DD`. */
            from?: string;
            /** @description EUR for a million tokens of input. */
            inputPerMillionTokens?: number;
            /** @description EUR for a million tokens of input from the provider's prompt cache. */
            cachedInputPerMillionTokens?: number;
            /** @description EUR for a million tokens of input written into the provider's prompt cache. */
            cacheWritePerMillionTokens?: number;
            /** @description EUR for a million tokens of output. */
            outputPerMillionTokens?: number;
            /** @description EUR for a second of a recording. */
            perSecond?: number;
        };
        ModelPrice: {
            /** @description The id of the model. */
            model: string;
            /**
             * @description What the model is for.
             * @enum {string}
             */
            kind: "chat" | "vision" | "speech" | "decision" | "embedding";
            /**
             * @description The currency of all prices.
             * @constant
             */
            currency: "EUR";
            /** @description The day from which these prices hold: from midnight UTC of `YYYY-MM-DD`. */
            from?: string;
            /** @description EUR for a million tokens of input. */
            inputPerMillionTokens?: number;
            /** @description EUR for a million tokens of input from the provider's prompt cache. */
            cachedInputPerMillionTokens?: number;
            /** @description EUR for a million tokens of input written into the provider's prompt cache. */
            cacheWritePerMillionTokens?: number;
            /** @description EUR for a million tokens of output. */
            outputPerMillionTokens?: number;
            /** @description EUR for a second of a recording. */
            perSecond?: number;
            next?: components["schemas"]["Price"];
        };
        PriceList: {
            /** @description In the order of `GET /v1/models`. */
            data: components["schemas"]["ModelPrice"][];
        };
        /** @description A part of a message. A translated model reads `text`, `image`, `document`, `search_result`, `tool_use`, `tool_result` and its own `thinking`; of other kinds it is told nothing. */
        MessageBlock: {
            type: string;
            /** @description Of `text`: what is said. */
            text?: string | null;
            /** @description Of an `image` or a `document`: `base64`, `url`, or of a document `text` or `content`. No files are kept here. */
            source?: {
                [key: string]: unknown;
            } | null;
            /** @description Of `tool_use`: the id of the call. */
            id?: string | null;
            /** @description Of `tool_use`: the tool that is called. */
            name?: string | null;
            /** @description Of `tool_use`: its arguments. */
            input?: {
                [key: string]: unknown;
            } | null;
            /** @description Of `tool_result`: the id of the call. */
            tool_use_id?: string | null;
            /** @description Of `tool_result`: its text, or its blocks. */
            content?: (string | {
                [key: string]: unknown;
            }[]) | null;
            /** @description Of `tool_result`: whether the call failed. */
            is_error?: boolean | null;
            /** @description Of `thinking`: what was thought. */
            thinking?: string | null;
            /** @description Of `thinking`: what it was signed with, unchanged. */
            signature?: string | null;
            /** @description Where a prefix ends that is worth keeping, for models that are told so. */
            cache_control?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        MessageParam: {
            /** @description `user` or `assistant`. `system` behind other messages is an instruction from there on. */
            role: string;
            /** @description A text, or blocks. A `system` message with `output_config` needs none. */
            content?: (string | components["schemas"]["MessageBlock"][]) | null;
        } & {
            [key: string]: unknown;
        };
        MessageTool: {
            /** @description `custom`, or absent. Tools that the provider runs are refused by name. */
            type?: string | null;
            /** @description The name that the model calls. */
            name?: string | null;
            /** @description What it does, for the model. */
            description?: string | null;
            /** @description The JSON Schema of the arguments. */
            input_schema?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the arguments must keep to the schema. */
            strict?: boolean | null;
            /** @description Whether the model is told of it only once a `tool_reference` names it. */
            defer_loading?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        MessageRequest: {
            /** @description The id of a chat or vision model of `GET /v1/models`. */
            model: string;
            /** @description The conversation. */
            messages: components["schemas"]["MessageParam"][];
            /** @description The system prompt: a text, or `text` blocks. */
            system?: (string | components["schemas"]["MessageBlock"][]) | null;
            /** @description Tools that the model may call. The caller carries the calls out. */
            tools?: components["schemas"]["MessageTool"][] | null;
            /** @description Whether the model may or must call tools, or which one. */
            tool_choice?: ({
                /** @description `auto`, `any`, `tool` or `none`. */
                type: string;
                /** @description Of `tool`: its name. */
                name?: string | null;
                /** @description Whether one answer may call one tool alone. */
                disable_parallel_tool_use?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description How a model thinks that can. */
            thinking?: ({
                /** @description `enabled`, `adaptive` or `disabled`. Disabled thinking is not told. */
                type: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The form of the answer, and its effort. */
            output_config?: ({
                /** @description How much effort the answer is worth, for models that are told so. */
                effort?: string | null;
                /** @description `json_schema` with a `schema` that the answer keeps to. */
                format?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            }) | null;
            skills?: components["schemas"]["SkillReference"];
            /** @description The most tokens of the answer, thinking included. More than the model can write is as much as it can. */
            max_tokens: number;
            /** @description Whether the answer comes as events. */
            stream?: boolean | null;
            /** @description Texts before which the answer ends. */
            stop_sequences?: string[] | null;
            /** @description How much chance there is in the choice of words. */
            temperature?: number | null;
            /** @description The share of probability that words are chosen from, up to 1. */
            top_p?: number | null;
            /** @description How many of the likeliest words are chosen from. */
            top_k?: number | null;
            /** @description Whom the request is for. */
            metadata?: ({
                /** @description A mark of the caller for their own user. */
                user_id?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A part of an answer. A provider's own kinds of blocks pass as they came. */
        MessageContentBlock: {
            /** @description `text`, `thinking`, `redacted_thinking` or `tool_use`. */
            type: string;
            /** @description Of `text`: what is said. */
            text?: string | null;
            /** @description Of `thinking`: what was thought. */
            thinking?: string | null;
            /** @description Of `thinking`: goes back with it unchanged, or the model does not see it again. */
            signature?: string | null;
            /** @description Of `redacted_thinking`: goes back unchanged. */
            data?: string | null;
            /** @description Of `tool_use`: by this id the result of the call goes back. */
            id?: string | null;
            /** @description Of `tool_use`: the tool that is called. */
            name?: string | null;
            /** @description Of `tool_use`: the arguments. `INVALID_JSON` has what was no JSON object. */
            input?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The tokens that are charged. In `message_start` all are 0 where the provider tells them at the end. */
        MessageUsage: {
            /** @description Tokens that were read and are not of the cache. */
            input_tokens: number;
            /** @description Tokens from the provider's prompt cache. */
            cache_read_input_tokens: number;
            /** @description Tokens that were written to the provider's prompt cache. */
            cache_creation_input_tokens: number;
            /** @description Tokens that were written, those of thinking included. */
            output_tokens: number;
            /** @description Parts of `output_tokens`. */
            output_tokens_details?: ({
                /** @description Tokens of thinking. */
                thinking_tokens: number;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer. */
        Message: {
            /** @description The id of the message. Nothing is kept by it. */
            id: string;
            /** @constant */
            type: "message";
            /**
             * @description Who speaks.
             * @constant
             */
            role: "assistant";
            /** @description The id that was asked for. */
            model: string;
            /** @description What was answered. */
            content: components["schemas"]["MessageContentBlock"][];
            /** @description `end_turn`, `tool_use`, `max_tokens`, `stop_sequence` or `refusal`; null before the end, and of an answer that broke off. Providers may have more. */
            stop_reason?: string | null;
            /** @description Of `stop_sequence`: which one it was. */
            stop_sequence?: string | null;
            usage: components["schemas"]["MessageUsage"];
            impact?: components["schemas"]["Impact"];
        } & {
            [key: string]: unknown;
        };
        /** @description The JSON of one event of a stream. `message_stop` is the last, or `error` of an answer that broke off. */
        MessageEvent: {
            /** @description `message_start`, `content_block_start`, `content_block_delta`, `content_block_stop`, `message_delta`, `message_stop`, `ping` or `error`. */
            type: string;
            message?: components["schemas"]["Message"];
            /** @description Which block of the answer it is of, from 0. */
            index?: number;
            content_block?: components["schemas"]["MessageContentBlock"];
            /** @description What was added to a block, by the `type` that its block has. In `message_delta`: how the message ended. */
            delta?: {
                /** @description `text_delta`, `thinking_delta`, `signature_delta` or `input_json_delta`. */
                type?: string | null;
                /** @description Of `text_delta`: more of the text. */
                text?: string | null;
                /** @description Of `thinking_delta`: more of the thinking. */
                thinking?: string | null;
                /** @description Of `signature_delta`: the signature of the block, whole. */
                signature?: string | null;
                /** @description Of `input_json_delta`: more of the JSON of the arguments. */
                partial_json?: string | null;
                /** @description `end_turn`, `tool_use`, `max_tokens`, `stop_sequence` or `refusal`; null before the end, and of an answer that broke off. Providers may have more. */
                stop_reason?: string | null;
                /** @description Of `stop_sequence`: which one it was. */
                stop_sequence?: string | null;
            } & {
                [key: string]: unknown;
            };
            usage?: components["schemas"]["MessageUsage"];
            impact?: components["schemas"]["Impact"];
            /** @description The refusal. */
            error?: {
                /** @description What is wrong, by the status: `invalid_request_error`, `authentication_error`, `billing_error`, `permission_error`, `not_found_error`, `conflict_error`, `request_too_large`, `timeout_error`, `rate_limit_error`, `api_error` or `overloaded_error`. */
                type: string;
                /** @description What is wrong, in words. */
                message: string;
                /** @description What is wrong, for programs, by the names that chat completions have. */
                code?: string;
                /** @description What is there to pay with, in EUR, if the credits do not suffice. */
                available?: string;
                /** @description What is set aside for such a request, in EUR. Less is enough if it pays for the input. */
                needed?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description Of `error`: the id of the request. */
            request_id?: string | null;
        } & {
            [key: string]: unknown;
        };
        MessagesError: {
            /** @constant */
            type: "error";
            /** @description The refusal. */
            error: {
                /** @description What is wrong, by the status: `invalid_request_error`, `authentication_error`, `billing_error`, `permission_error`, `not_found_error`, `conflict_error`, `request_too_large`, `timeout_error`, `rate_limit_error`, `api_error` or `overloaded_error`. */
                type: string;
                /** @description What is wrong, in words. */
                message: string;
                /** @description What is wrong, for programs, by the names that chat completions have. */
                code?: string;
                /** @description What is there to pay with, in EUR, if the credits do not suffice. */
                available?: string;
                /** @description What is set aside for such a request, in EUR. Less is enough if it pays for the input. */
                needed?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The id of the request, as in `Request-Id`. */
            request_id: string;
        };
        MessageCountRequest: {
            /** @description The id of a chat or vision model of `GET /v1/models`. */
            model: string;
            /** @description The conversation. */
            messages: components["schemas"]["MessageParam"][];
            /** @description The system prompt: a text, or `text` blocks. */
            system?: (string | components["schemas"]["MessageBlock"][]) | null;
            /** @description Tools that the model may call. The caller carries the calls out. */
            tools?: components["schemas"]["MessageTool"][] | null;
            /** @description Whether the model may or must call tools, or which one. */
            tool_choice?: ({
                /** @description `auto`, `any`, `tool` or `none`. */
                type: string;
                /** @description Of `tool`: its name. */
                name?: string | null;
                /** @description Whether one answer may call one tool alone. */
                disable_parallel_tool_use?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description How a model thinks that can. */
            thinking?: ({
                /** @description `enabled`, `adaptive` or `disabled`. Disabled thinking is not told. */
                type: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The form of the answer, and its effort. */
            output_config?: ({
                /** @description How much effort the answer is worth, for models that are told so. */
                effort?: string | null;
                /** @description `json_schema` with a `schema` that the answer keeps to. */
                format?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            }) | null;
            skills?: components["schemas"]["SkillReference"];
        } & {
            [key: string]: unknown;
        };
        MessageTokenCount: {
            /** @description Tokens of the request. None is charged. */
            input_tokens: number;
        } & {
            [key: string]: unknown;
        };
        NoulQuestion: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "noul";
            /** @description What is asked. Objects and lists are read as JSON. Without it the id of the question is read. */
            instructions?: (string | {
                [key: string]: unknown;
            } | unknown[]) | null;
            /** @description What yes and no mean. */
            criteria?: {
                /** @description What yes means. */
                true?: (string | {
                    [key: string]: unknown;
                } | unknown[]) | null;
                /** @description What no means. */
                false?: (string | {
                    [key: string]: unknown;
                } | unknown[]) | null;
            } | null;
        };
        ChoiceQuestion: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "choice";
            /** @description What is asked. Objects and lists are read as JSON. Without it the id of the question is read. */
            instructions?: (string | {
                [key: string]: unknown;
            } | unknown[]) | null;
            /** @description The options by their keys, each with its description or null. Without one the key is read. */
            criteria: {
                [key: string]: (string | {
                    [key: string]: unknown;
                } | unknown[]) | null;
            };
        };
        ScoreQuestion: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "score";
            /** @description What is asked. Objects and lists are read as JSON. Without it the id of the question is read. */
            instructions?: (string | {
                [key: string]: unknown;
            } | unknown[]) | null;
            /** @description The levels from the lowest, each by its description or null. Without one the level's number is read. */
            criteria: ((string | {
                [key: string]: unknown;
            } | unknown[]) | null)[];
        };
        DecisionQuestion: components["schemas"]["NoulQuestion"] | components["schemas"]["ChoiceQuestion"] | components["schemas"]["ScoreQuestion"];
        DecisionRequest: {
            /** @description The id of a decision model of `GET /v1/models`. */
            model: string;
            /** @description The case. Objects and lists are read as JSON. */
            state: (string | {
                [key: string]: unknown;
            } | unknown[]) | null;
            /** @description The questions by their ids, which have 1 to 128 characters. */
            questions: {
                [key: string]: components["schemas"]["DecisionQuestion"];
            };
        };
        NoulAnswer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "noul";
            /** @description The probability of yes, from 0 to 1. */
            noul: number;
            /** @description What the labels of the options had together of all probability, from 0 to 1. A low one says that the model would rather have written something else. */
            labelMass?: number;
            /** @description Options whose probability the model's server did not tell: each has the most that it can have. */
            labelsOmitted?: number;
        };
        ChoiceAnswer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "choice";
            /** @description The key of the likeliest option. */
            choice: string;
            /** @description The probability of each option by its key, from 0 to 1. Their sum is 1. */
            probabilities: {
                [key: string]: number;
            };
            /** @description How sure the answer is: 0 if all are equally likely, 1 if one is certain. */
            confidence: number;
            /** @description What the labels of the options had together of all probability, from 0 to 1. A low one says that the model would rather have written something else. */
            labelMass?: number;
            /** @description Options whose probability the model's server did not tell: each has the most that it can have. */
            labelsOmitted?: number;
        };
        ScoreAnswer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "score";
            /** @description The expected level, counted from 0: the sum of each level times its probability. */
            score: number;
            /** @description The description of each level by its number, as sent. */
            legend: {
                [key: string]: (string | {
                    [key: string]: unknown;
                } | unknown[]) | null;
            };
            /** @description The probability of each level by its number, from 0 to 1. Their sum is 1. */
            probabilities: {
                [key: string]: number;
            };
            /** @description How sure the answer is: 0 if all are equally likely, 1 if one is certain. */
            confidence: number;
            /** @description What the labels of the options had together of all probability, from 0 to 1. A low one says that the model would rather have written something else. */
            labelMass?: number;
            /** @description Options whose probability the model's server did not tell: each has the most that it can have. */
            labelsOmitted?: number;
        };
        DecisionAnswer: components["schemas"]["NoulAnswer"] | components["schemas"]["ChoiceAnswer"] | components["schemas"]["ScoreAnswer"];
        Decision: {
            /** @description The id that was asked for. */
            model: string;
            /** @description The answers by the ids of their questions. */
            answers: {
                [key: string]: components["schemas"]["DecisionAnswer"];
            };
            /** @description The tokens of the decision. */
            usage: {
                /** @description Tokens that were read. */
                input_tokens: number;
                /**
                 * @description Always 0: a decision writes nothing.
                 * @constant
                 */
                output_tokens: 0;
            };
            impact: components["schemas"]["Impact"];
        };
        InputText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_text";
            /** @description The text. */
            text: string;
            /** @description Ignored. */
            prompt_cache_breakpoint?: {
                /**
                 * @description Ignored.
                 * @constant
                 */
                mode: "explicit";
            } | null;
        };
        InputImage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_image";
            /** @description An address, or a data URL. */
            image_url: string;
            /** @description How closely the model looks. */
            detail?: ("low" | "high" | "auto" | "original") | null;
            /** @description Ignored. */
            prompt_cache_breakpoint?: {
                /**
                 * @description Ignored.
                 * @constant
                 */
                mode: "explicit";
            } | null;
        };
        InputJson: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_json";
            /** @description An object, or a list of objects. */
            data: {
                [key: string]: unknown;
            } | {
                [key: string]: unknown;
            }[];
        };
        OutputText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "output_text";
            /** @description What the model said. */
            text: string;
        };
        OutputRefusal: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "refusal";
            /** @description Why the model did not answer. */
            refusal: string;
        };
        OpenAiInputItem: {
            /** @constant */
            type?: "message";
            /**
             * @description Who speaks.
             * @constant
             */
            role: "user";
            /** @description What is said. A text, or parts. */
            content: string | (components["schemas"]["InputText"] | components["schemas"]["InputImage"] | components["schemas"]["InputJson"])[];
        } | {
            /** @constant */
            type?: "message";
            /**
             * @description Who speaks.
             * @constant
             */
            role: "developer";
            /** @description What is said. A text, or parts. */
            content: string | components["schemas"]["InputText"][];
        } | {
            /** @constant */
            type?: "message";
            /**
             * @description Who speaks.
             * @constant
             */
            role: "system";
            /** @description What is said. A text, or parts. */
            content: string | components["schemas"]["InputText"][];
        } | {
            /** @constant */
            type?: "message";
            /**
             * @description Who speaks.
             * @constant
             */
            role: "assistant";
            /** @description What is said. A text, or parts. */
            content: string | (components["schemas"]["OutputText"] | components["schemas"]["OutputRefusal"])[];
            /** @description Ignored. */
            phase?: ("commentary" | "final_answer") | null;
        } | {
            /** @constant */
            type: "function_call";
            /** @description The id of the call, which its output repeats. */
            call_id: string;
            /** @description The tool that is called. */
            name: string;
            /** @description The arguments, as JSON. */
            arguments: string;
            /** @description Ignored. */
            id?: string | null;
            /** @description Ignored. */
            status?: ("in_progress" | "completed" | "incomplete") | null;
            /** @description Ignored. */
            namespace?: string | null;
        } | {
            /** @constant */
            type: "function_call_output";
            /** @description The id of the call, which its output repeats. */
            call_id: string;
            /** @description What the tool answered. A text, or parts. */
            output: string | (components["schemas"]["InputText"] | components["schemas"]["InputImage"])[];
            /** @description Ignored. */
            id?: string | null;
            /** @description Ignored. */
            status?: ("in_progress" | "completed" | "incomplete") | null;
        } | {
            /** @constant */
            type: "custom_tool_call";
            /** @description The id of the call, which its output repeats. */
            call_id: string;
            /** @description The tool that is called. */
            name: string;
            /** @description What the tool is called with. */
            input: string;
            /** @description Ignored. */
            id?: string | null;
            /** @description Ignored. */
            status?: ("in_progress" | "completed" | "incomplete") | null;
            /** @description Ignored. */
            namespace?: string | null;
        } | {
            /** @constant */
            type: "custom_tool_call_output";
            /** @description The id of the call, which its output repeats. */
            call_id: string;
            /** @description What the tool answered. A text, or parts. */
            output: string | (components["schemas"]["InputText"] | components["schemas"]["InputImage"])[];
            /** @description Ignored. */
            id?: string | null;
            /** @description Ignored. */
            status?: ("in_progress" | "completed" | "incomplete") | null;
        };
        PredicateQuestion: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "predicate";
            /** @description What is asked. A text, or parts. */
            instructions: string | (components["schemas"]["InputText"] | components["schemas"]["InputImage"] | components["schemas"]["InputJson"])[];
            /** @description A name, which the answer repeats. No two questions have the same. */
            name?: string | null;
        };
        OpenAiChoiceQuestion: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "choice";
            /** @description What is asked. A text, or parts. */
            instructions: string | (components["schemas"]["InputText"] | components["schemas"]["InputImage"] | components["schemas"]["InputJson"])[];
            /** @description A name, which the answer repeats. No two questions have the same. */
            name?: string | null;
            /** @description The options. Each value is there once. */
            choices: {
                /** @description What the answer repeats. */
                value: string | boolean;
                /** @description What it means. The model reads it after the value or label. */
                description?: string | null;
            }[];
        };
        OpenAiScoreQuestion: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "score";
            /** @description What is asked. A text, or parts. */
            instructions: string | (components["schemas"]["InputText"] | components["schemas"]["InputImage"] | components["schemas"]["InputJson"])[];
            /** @description A name, which the answer repeats. No two questions have the same. */
            name?: string | null;
            /** @description The levels, the lowest first. */
            levels: {
                /** @description What the answer repeats. */
                label: string;
                /** @description What it means. The model reads it after the value or label. */
                description?: string | null;
            }[];
        };
        OpenAiQuestion: components["schemas"]["PredicateQuestion"] | components["schemas"]["OpenAiChoiceQuestion"] | components["schemas"]["OpenAiScoreQuestion"];
        OpenAiDecisionRequest: {
            /** @description The id of a decision model of `GET /v1/models`. */
            model: string;
            /** @description The case: a text, or messages, calls of tools and their outputs. */
            input: string | components["schemas"]["OpenAiInputItem"][];
            /** @description The questions, in the order of their answers. */
            questions: components["schemas"]["OpenAiQuestion"][];
            /** @description Ignored. */
            prompt_cache_key?: string | null;
            /** @description Ignored. */
            prompt_cache_options?: {
                /** @description Ignored. */
                mode?: ("implicit" | "explicit") | null;
                /** @description Ignored. */
                ttl?: string;
            } | null;
            /** @description Ignored. */
            safety_identifier?: string | null;
        };
        PredicateAnswer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "predicate";
            /** @description The name of the question, if it has one. */
            name: string | null;
            /** @description The probability of yes, from 0 to 1. */
            probability: number;
            /** @description What the labels of the options had together of all probability, from 0 to 1. A low one says that the model would rather have written something else. */
            labelMass?: number;
            /** @description Options whose probability the model's server did not tell: each has the most that it can have. */
            labelsOmitted?: number;
        };
        OpenAiChoiceAnswer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "choice";
            /** @description The name of the question, if it has one. */
            name: string | null;
            /** @description The likeliest value. */
            choice: string | boolean;
            /** @description How sure the answer is: 0 if all are equally likely, 1 if one is certain. */
            confidence: number;
            /** @description The probability of each value. Their sum is 1. */
            probabilities: {
                /** @description The value of the option. */
                value: string | boolean;
                /** @description From 0 to 1. */
                probability: number;
            }[];
            /** @description What the labels of the options had together of all probability, from 0 to 1. A low one says that the model would rather have written something else. */
            labelMass?: number;
            /** @description Options whose probability the model's server did not tell: each has the most that it can have. */
            labelsOmitted?: number;
        };
        OpenAiScoreAnswer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "score";
            /** @description The name of the question, if it has one. */
            name: string | null;
            /** @description The expected level, counted from 0: the sum of each level times its probability. */
            score: number;
            /** @description How sure the answer is: 0 if all are equally likely, 1 if one is certain. */
            confidence: number;
            /** @description The probability of each level. Their sum is 1. */
            probabilities: {
                /** @description The label of the level. */
                label: string;
                /** @description The number of the level, from 0. */
                value: number;
                /** @description From 0 to 1. */
                probability: number;
            }[];
            /** @description What the labels of the options had together of all probability, from 0 to 1. A low one says that the model would rather have written something else. */
            labelMass?: number;
            /** @description Options whose probability the model's server did not tell: each has the most that it can have. */
            labelsOmitted?: number;
        };
        /** @description The model declines the question. */
        RefusedAnswer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "refusal";
            /** @description The name of the question, if it has one. */
            name: string | null;
        };
        OpenAiAnswer: components["schemas"]["PredicateAnswer"] | components["schemas"]["OpenAiChoiceAnswer"] | components["schemas"]["OpenAiScoreAnswer"] | components["schemas"]["RefusedAnswer"];
        OpenAiDecision: {
            /** @description The id that was asked for. */
            model: string;
            /** @description In the order of the questions. */
            answers: components["schemas"]["OpenAiAnswer"][];
            /** @description The tokens of the decision. */
            usage: {
                /** @description Tokens that were read. */
                input_tokens: number;
                /** @description Parts of `input_tokens`. */
                input_tokens_details: {
                    /** @description Tokens from the provider's prompt cache. */
                    cached_tokens: number;
                    /** @description Tokens written into the provider's prompt cache. */
                    cache_write_tokens: number;
                };
                /**
                 * @description Always 0: a decision writes nothing.
                 * @constant
                 */
                output_tokens: 0;
                /** @description Parts of `output_tokens`. */
                output_tokens_details: {
                    /**
                     * @description Always 0: a decision reasons without words.
                     * @constant
                     */
                    reasoning_tokens: 0;
                };
                /** @description Both together. */
                total_tokens: number;
            };
            impact: components["schemas"]["Impact"];
        };
        UnpaidOpenAiError: {
            /** @description The refusal. */
            error: {
                /** @description What is wrong, in words. */
                message: string;
                /** @description `invalid_request_error` if the request caused it, `server_error` if it did not. */
                type: string;
                /** @description The field of the request that is wrong, if one is. */
                param: string | null;
                /** @description What is wrong, for programs. */
                code: string | null;
                /**
                 * @description Why a skill could not be used.
                 * @enum {string}
                 */
                reason?: "unknown" | "disabled" | "unknown_version" | "unversioned";
            };
            /** @description What is there to pay with, in EUR, if the credits do not suffice. */
            available?: string;
            /** @description What is set aside for such a request, in EUR. Less is enough if it pays for the input. */
            needed?: string;
        };
        /** @description A message, a call of a tool, its output, reasoning of an earlier answer, or an `item_reference` to an item of a kept response. */
        ResponseInputItem: {
            /** @description The kind of the item: `message` if absent, `function_call`, `function_call_output`, `custom_tool_call`, `custom_tool_call_output`, `reasoning` or `item_reference`. A run takes `message`, `function_call_output` and `mcp_approval_response`. */
            type?: string | null;
            /** @description Its id. Of an `item_reference`, that of the item which it stands for. */
            id?: string | null;
            /** @description Who speaks in a message: `user`, `assistant`, `system` or `developer`. */
            role?: string | null;
            /** @description Of a call or its output: the id of the call. */
            call_id?: string | null;
            /** @description Of an output: its text, or its parts. */
            output?: (string | {
                [key: string]: unknown;
            }[]) | null;
            /** @description Of an `mcp_approval_response`: the request of a run that it answers. */
            approval_request_id?: string | null;
            /** @description Of an `mcp_approval_response`: whether the call may be made. */
            approve?: boolean | null;
            /** @description Of an `mcp_approval_response`: why not. The model reads it. */
            reason?: string | null;
            /** @description The text of a message, or its parts. */
            content?: (string | {
                [key: string]: unknown;
            }[]) | null;
        } & {
            [key: string]: unknown;
        };
        ResponseTool: {
            /** @description A chat model takes `function`, `custom` and a `namespace` of them, a run `function`, the names of its own tools, such as `web_search`, and `mcp` for a server of tools. */
            type: string;
            /** @description The name that the model calls. */
            name?: string | null;
            /** @description What it does, for the model. */
            description?: string | null;
            /** @description The JSON Schema of the arguments. */
            parameters?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the arguments must keep to the schema. */
            strict?: boolean | null;
            /** @description Of `mcp`: the label of the server, which its calls have. */
            server_label?: string | null;
            /** @description Of `mcp`: the https address of the server. */
            server_url?: string | null;
            /** @description Of `mcp`: the token that the server is sent. It is never shown. */
            authorization?: string | null;
            /** @description Of `mcp`: the only tools of the server that may be called, by the server's names. */
            allowed_tools?: (string[] | ({
                /** @description The server's names of tools. */
                tool_names: string[];
            } & {
                [key: string]: unknown;
            })) | null;
            /** @description Of `mcp`: what the server is for. It changes nothing. */
            server_description?: string | null;
            /** @description Of `mcp`: which calls are made only once they are approved; none if it is absent. With `never` as an object, all tools but those are asked about, which `allowed_tools` has to name. */
            require_approval?: (("always" | "never") | ({
                /** @description Tools whose calls need approval. */
                always?: ({
                    /** @description The server's names of tools. */
                    tool_names: string[];
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description Tools whose calls need none. */
                never?: ({
                    /** @description The server's names of tools. */
                    tool_names: string[];
                } & {
                    [key: string]: unknown;
                }) | null;
            } & {
                [key: string]: unknown;
            })) | null;
        } & {
            [key: string]: unknown;
        };
        ResponseRequest: {
            /** @description The id of a chat or vision model of `GET /v1/models`, or `agent:default`, or `agent:` and the name of a stored agent, for a run. */
            model: string;
            /** @description What the model answers. */
            input?: string | components["schemas"]["ResponseInputItem"][];
            /** @description The system prompt. An earlier one does not hold any more. */
            instructions?: string | null;
            /** @description A kept response of the same key. Its input and output, and what came before them, stand before this input. A run goes on from a run, which has ended. */
            previous_response_id?: string | null;
            /** @description Whether the response is kept for a day: true unless it is false. A run is kept always. */
            store?: boolean | null;
            /** @description Whether the answer comes as events. */
            stream?: boolean | null;
            /** @description Whether a run is answered before it has begun. Chat models take no `true`. */
            background?: boolean | null;
            skills?: components["schemas"]["SkillReference"];
            /** @description The most tokens of the answer, reasoning included. */
            max_output_tokens?: number | null;
            /** @description Tools that the model may call. The caller carries the calls out. */
            tools?: components["schemas"]["ResponseTool"][] | null;
            /** @description Whether the model may or must call tools, or which one. */
            tool_choice?: (("none" | "auto" | "required") | {
                [key: string]: unknown;
            }) | null;
            /** @description Whether one answer may call several tools. */
            parallel_tool_calls?: boolean | null;
            /** @description The form of the answer. */
            text?: ({
                /** @description The form of the text. */
                format?: ({
                    /**
                     * @description What is asked for.
                     * @enum {string}
                     */
                    type: "text" | "json_object" | "json_schema";
                    /** @description A name for the schema. */
                    name?: string | null;
                    /** @description The JSON Schema of the answer. */
                    schema?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Whether the answer must keep to the schema. */
                    strict?: boolean | null;
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description How much is said. */
                verbosity?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description How a model thinks that can. */
            reasoning?: ({
                /** @description Such as `low`, `medium` or `high`. */
                effort?: string | null;
                /** @description How much of what it thinks is told. */
                summary?: ("auto" | "concise" | "detailed") | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description How much chance there is in the choice of words. */
            temperature?: number | null;
            /** @description The share of probability that words are chosen from, up to 1. */
            top_p?: number | null;
            /** @description How many of the likeliest tokens come at each place. */
            top_logprobs?: number | null;
            /** @description `message.output_text.logprobs` adds the probabilities of tokens. The other values that OpenAI has change nothing. */
            include?: string[] | null;
            /** @description Is echoed. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Is echoed. */
            user?: string | null;
            /** @description Is echoed. */
            safety_identifier?: string | null;
            /** @description Is echoed. */
            prompt_cache_key?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A part of a message or of reasoning. */
        ResponseContentPart: ({
            /** @constant */
            type: "output_text";
            /** @description The text. */
            text: string;
            /** @description What the text cites. */
            annotations: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Tokens with their probabilities, if they were asked for. */
            logprobs?: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "refusal";
            /** @description Why the model does not answer. */
            refusal: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "reasoning_text";
            /** @description What the model thought. */
            text: string;
        } & {
            [key: string]: unknown;
        });
        ResponseMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message";
            /** @description The id of the item. */
            id: string;
            /**
             * @description Whether it is being written, is whole, or was cut.
             * @enum {string}
             */
            status?: "in_progress" | "completed" | "incomplete";
            /**
             * @description Who speaks.
             * @constant
             */
            role: "assistant";
            /** @description What is said. */
            content: components["schemas"]["ResponseContentPart"][];
        } & {
            [key: string]: unknown;
        };
        ResponseReasoning: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reasoning";
            /** @description The id of the item. */
            id: string;
            /**
             * @description Whether it is being written, is whole, or was cut.
             * @enum {string}
             */
            status?: "in_progress" | "completed" | "incomplete";
            /** @description What is told of it; empty where the text is there. */
            summary: {
                [key: string]: unknown;
            }[];
            /** @description What was thought. */
            content?: components["schemas"]["ResponseContentPart"][];
        } & {
            [key: string]: unknown;
        };
        ResponseFunctionCall: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "function_call";
            /** @description The id of the item. */
            id: string;
            /**
             * @description Whether it is being written, is whole, or was cut.
             * @enum {string}
             */
            status?: "in_progress" | "completed" | "incomplete";
            /** @description By this id the output of the call goes back. */
            call_id: string;
            /** @description The tool that is called. */
            name: string;
            /** @description The namespace of the tool, if it has one. */
            namespace?: string;
            /** @description The JSON of its arguments, as the model wrote it. */
            arguments: string;
        } & {
            [key: string]: unknown;
        };
        ResponseCustomToolCall: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "custom_tool_call";
            /** @description The id of the item. */
            id: string;
            /**
             * @description Whether it is being written, is whole, or was cut.
             * @enum {string}
             */
            status?: "in_progress" | "completed" | "incomplete";
            /** @description By this id the output of the call goes back. */
            call_id: string;
            /** @description The tool that is called. */
            name: string;
            /** @description The namespace of the tool, if it has one. */
            namespace?: string;
            /** @description What the tool is given. */
            input: string;
            /** @description What a run's own tool answered. A failure begins with `Error:`. */
            output?: string;
        } & {
            [key: string]: unknown;
        };
        ResponseMcpCall: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mcp_call";
            /** @description The id of the item. */
            id: string;
            /**
             * @description How far the call of a server's tool is.
             * @enum {string}
             */
            status: "in_progress" | "completed" | "incomplete" | "failed";
            /** @description The label of the server. */
            server_label: string;
            /** @description The tool, by the server's name of it. */
            name: string;
            /** @description The JSON of its arguments, as the model wrote it. */
            arguments: string;
            /** @description What the tool answered. */
            output?: string | null;
            /** @description Why the call failed. */
            error?: ({
                /**
                 * @description What has failed.
                 * @constant
                 */
                type: "mcp_tool_execution_error";
                /** @description What was said of it. */
                content: {
                    [key: string]: unknown;
                }[];
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        ResponseMcpApprovalRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mcp_approval_request";
            /** @description What `approval_request_id` of an `mcp_approval_response` names. */
            id: string;
            /** @description The label of the server; empty for a tool of the run's own. */
            server_label: string;
            /** @description The tool, by the server's name of it. */
            name: string;
            /** @description The JSON of its arguments, as the model wrote it. */
            arguments: string;
        } & {
            [key: string]: unknown;
        };
        ResponseWebSearchCall: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "web_search_call";
            /** @description The id of the item. */
            id: string;
            /**
             * @description How far the search of a run is.
             * @enum {string}
             */
            status: "in_progress" | "completed" | "failed";
            /** @description What was searched for. */
            action: {
                /** @constant */
                type: "search";
                /** @description The first of the queries. */
                query: string;
                /** @description All of them. */
                queries: string[];
                /** @description What was found. */
                sources?: ({
                    /** @description Its title. */
                    title: string;
                    /** @constant */
                    type: "url";
                    /** @description The address. */
                    url: string;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description What the model said, thought or called. */
        ResponseOutputItem: components["schemas"]["ResponseMessage"] | components["schemas"]["ResponseReasoning"] | components["schemas"]["ResponseFunctionCall"] | components["schemas"]["ResponseCustomToolCall"] | components["schemas"]["ResponseMcpCall"] | components["schemas"]["ResponseMcpApprovalRequest"] | components["schemas"]["ResponseWebSearchCall"];
        ResponseUsage: {
            /** @description Tokens that were read. */
            input_tokens: number;
            /** @description Parts of `input_tokens`. */
            input_tokens_details: {
                /** @description Tokens from the provider's prompt cache. */
                cached_tokens: number;
            } & {
                [key: string]: unknown;
            };
            /** @description Tokens that were written. */
            output_tokens: number;
            /** @description Parts of `output_tokens`. */
            output_tokens_details: {
                /** @description Tokens of reasoning. */
                reasoning_tokens: number;
            } & {
                [key: string]: unknown;
            };
            /** @description Both together. */
            total_tokens: number;
            /** @description Seconds of recordings that a run transcribed. */
            audio_seconds?: number;
            /** @description What a run was charged: EUR, as a decimal. */
            credits?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A response as it is by then. */
        Response: {
            /** @description The id of the response. */
            id: string;
            /** @constant */
            object: "response";
            /** @description Seconds since the epoch. */
            created_at: number;
            /** @description Seconds since the epoch; null while it is not complete. */
            completed_at?: number | null;
            /**
             * @description How far it is.
             * @enum {string}
             */
            status: "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
            /** @description Why it failed. */
            error: ({
                /** @description The name of the failure. */
                code: string;
                /** @description In words. */
                message: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Why it is incomplete. */
            incomplete_details: ({
                /** @description `max_output_tokens`, or `content_filter`; `awaiting_input` of a run that needs `required_input`. */
                reason: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The id that was asked for. */
            model: string;
            /** @description What was answered. */
            output: components["schemas"]["ResponseOutputItem"][];
            /** @description The tokens; null until the end. */
            usage: components["schemas"]["ResponseUsage"] | null;
            impact?: components["schemas"]["Impact"];
            /** @description What a run that goes on has to bring, where one is `incomplete` for want of it. Calls of functions and requests for approval are in `output`. */
            required_input?: ({
                /** @description A field of a run, such as `documentUrl`. */
                name: string;
                /** @description What it is for. */
                description: string;
            } & {
                [key: string]: unknown;
            })[];
            /**
             * @description Why a run ended before its model was ready to.
             * @enum {string}
             */
            stop_reason?: "rounds" | "credits" | "schema";
            /** @description JSON Pointers of facts of the value that its sources do not bear out. */
            unsupported?: string[];
            /** @description Whether it is worked on while nobody waits. */
            background?: boolean | null;
            /** @description As it was asked for. */
            instructions?: string | null;
            /** @description What it follows. */
            previous_response_id?: string | null;
            /** @description Whether it is kept; false at the end of one that could not be. */
            store?: boolean | null;
            /** @description As it was asked for. */
            max_output_tokens?: number | null;
            /** @description As it was asked for, or true. */
            parallel_tool_calls?: boolean | null;
            /** @description As it was asked for, or 1. */
            temperature?: number | null;
            /** @description As it was asked for, or 1. */
            top_p?: number | null;
            /** @description As it was asked for, or 0. */
            presence_penalty?: number | null;
            /** @description As it was asked for, or 0. */
            frequency_penalty?: number | null;
            /** @description As they were asked for. */
            tools?: {
                [key: string]: unknown;
            }[] | null;
            /** @description As it was asked for, or `auto`. */
            tool_choice?: string | {
                [key: string]: unknown;
            };
            /** @description As it was asked for. */
            text?: {
                [key: string]: unknown;
            } | null;
            /** @description As it was asked for. */
            reasoning?: {
                [key: string]: unknown;
            } | null;
            /** @description As it was asked for. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The JSON of one event of a stream. `response.completed`, `response.incomplete` and `response.failed` are the last. */
        ResponseEvent: ({
            /** @constant */
            type: "response.created";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.queued";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.in_progress";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.completed";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.incomplete";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.failed";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.output_item.added";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            item: components["schemas"]["ResponseOutputItem"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.output_item.done";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            item: components["schemas"]["ResponseOutputItem"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.content_part.added";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the item it is of, from 0. */
            content_index: number;
            part: components["schemas"]["ResponseContentPart"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.content_part.done";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the item it is of, from 0. */
            content_index: number;
            part: components["schemas"]["ResponseContentPart"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.output_text.delta";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the item it is of, from 0. */
            content_index: number;
            /** @description What was added. */
            delta: string;
            /** @description Tokens with their probabilities, if they were asked for. */
            logprobs: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.output_text.done";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the item it is of, from 0. */
            content_index: number;
            /** @description All of it. */
            text: string;
            /** @description Tokens with their probabilities, if they were asked for. */
            logprobs: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.output_text.annotation.added";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the item it is of, from 0. */
            content_index: number;
            /** @description Which citation of the part it is, from 0. */
            annotation_index: number;
            /** @description What is cited. */
            annotation: {
                type: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.refusal.delta";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the item it is of, from 0. */
            content_index: number;
            /** @description What was added. */
            delta: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.refusal.done";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the item it is of, from 0. */
            content_index: number;
            /** @description All of it. */
            refusal: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.reasoning_text.delta";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the item it is of, from 0. */
            content_index: number;
            /** @description What was added. */
            delta: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.reasoning_text.done";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the item it is of, from 0. */
            content_index: number;
            /** @description All of it. */
            text: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.reasoning_summary_part.added";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the summary it is of, from 0. */
            summary_index: number;
            /** @description A part of the summary. */
            part: {
                /** @constant */
                type: "summary_text";
                /** @description The text. */
                text: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.reasoning_summary_part.done";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the summary it is of, from 0. */
            summary_index: number;
            /** @description A part of the summary. */
            part: {
                /** @constant */
                type: "summary_text";
                /** @description The text. */
                text: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.reasoning_summary_text.delta";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the summary it is of, from 0. */
            summary_index: number;
            /** @description What was added. */
            delta: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.reasoning_summary_text.done";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description Which part of the summary it is of, from 0. */
            summary_index: number;
            /** @description All of it. */
            text: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.function_call_arguments.delta";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description What was added. */
            delta: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.function_call_arguments.done";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description The tool. */
            name: string;
            /** @description All of it. */
            arguments: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.mcp_call.in_progress";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.mcp_call_arguments.delta";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description What was added. */
            delta: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.mcp_call_arguments.done";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description All of it. */
            arguments: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.mcp_call.completed";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.mcp_call.failed";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.web_search_call.in_progress";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.web_search_call.searching";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.web_search_call.completed";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.custom_tool_call_input.delta";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description What was added. */
            delta: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "response.custom_tool_call_input.done";
            /** @description From 0, one higher for each event. */
            sequence_number: number;
            /** @description Which item of the output it is of, from 0. */
            output_index: number;
            /** @description The id of that item. */
            item_id: string;
            /** @description All of it. */
            input: string;
        } & {
            [key: string]: unknown;
        });
        DeletedResponse: {
            /** @description The id of the response. */
            id: string;
            /** @constant */
            object: "response";
            /** @description Always true. */
            deleted: boolean;
        };
        ResponseInputItemList: {
            /** @constant */
            object: "list";
            /** @description The items, each with an id. */
            data: components["schemas"]["ResponseInputItem"][];
            /** @description The id of the first of them; null if there are none. */
            first_id?: string | null;
            /** @description The id of the last of them; null if there are none. */
            last_id?: string | null;
            /** @description Whether more follow. */
            has_more: boolean;
        };
        McpRequest: {
            /**
             * @description The version of JSON-RPC.
             * @constant
             */
            jsonrpc: "2.0";
            /** @description The method of the protocol, such as `tools/call`. */
            method?: string;
            id?: (string | number) | null;
            /** @description The parameters of the method. */
            params?: {
                /** @description Of `tools/call`: the name of the tool. */
                name?: string;
                /** @description Of `resources/read`: the address of the resource. */
                uri?: string;
                /** @description Of a list: its page. All lists have one. */
                cursor?: string;
                /** @description Of `initialize`: the version of the protocol. */
                protocolVersion?: string;
                /** @description What the protocol asks for beside the parameters of the method. */
                _meta?: {
                    /** @description Asks for lines of progress, which have this token. */
                    progressToken?: string | number;
                    /** @description The version of the protocol. */
                    "io.modelcontextprotocol/protocolVersion"?: string;
                } & {
                    [key: string]: unknown;
                };
                /** @description Of `tools/call`: what the tool is called with. */
                arguments?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        McpMessage: {
            /**
             * @description The version of JSON-RPC.
             * @constant
             */
            jsonrpc: "2.0";
            /** @description The method of a line of progress. */
            method?: string;
            /** @description The id of the request. */
            id?: (string | number) | null;
            /** @description What a line of progress says. */
            params?: {
                [key: string]: unknown;
            };
            /** @description The answer to a request. */
            result?: {
                [key: string]: unknown;
            };
            /** @description The refusal of a request. */
            error?: {
                /** @description The code of JSON-RPC or of the protocol. */
                code: number;
                /** @description What is wrong, in words. */
                message: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The budget of the key that asks, if it has one. */
        Budget: {
            /** @description What the key may spend in each period: EUR, as a decimal. */
            amount: string;
            /**
             * @description Days, weeks (from Monday) and months begin at midnight UTC.
             * @enum {string}
             */
            period: "day" | "week" | "month" | "total";
            /** @description What calls of this period have cost, and what is set aside for those in work: EUR, as a decimal. */
            spent: string;
            /** @description The rest of the amount: EUR, as a decimal. */
            left: string;
            /** @description When the next period begins. Absent for a budget in total. */
            endsAt?: string;
        };
        CreditEntry: {
            id: string;
            /** @description When the work was done, or the credit given. */
            at: string;
            /** @description When the entry was written, if that was in a later hour than `at`. The ledger is sorted by it. */
            writtenAt?: string;
            /**
             * @description What was charged, or `credit`.
             * @enum {string}
             */
            kind: "completion" | "vision" | "transcription" | "decision" | "embedding" | "credit";
            /** @description The id of the model that worked; null for a credit. */
            model: string | null;
            /** @description The run that the work was for. */
            runId?: string;
            /** @description The step of the run. */
            step?: number;
            /** @description The `X-Request-Id` of the request that the work was for. */
            requestId?: string;
            /** @description The id of the key that asked. */
            keyId?: string;
            /** @description The skill that shaped the answer. */
            skill?: {
                id?: string;
                /** @description The name at that time. */
                name: string;
                /** @description The published version. */
                version?: number;
            };
            /** @description Tokens that were read. */
            inputTokens?: number;
            /** @description The part of `inputTokens` from the provider's prompt cache. */
            cachedInputTokens?: number;
            /** @description The part of `inputTokens` that was written into the provider's prompt cache. */
            cacheWriteTokens?: number;
            /** @description Tokens that were written. */
            outputTokens?: number;
            /** @description The part of `outputTokens` that was hidden reasoning. */
            reasoningTokens?: number;
            /** @description The length of the recording in seconds, rounded up. */
            seconds?: number;
            /** @description The prices that were used, in EUR. */
            price?: {
                /** @description The day from which these prices hold: from midnight UTC of `YYYY-MM-DD`. */
                from?: string;
                /** @description EUR for a million tokens of input. */
                inputPerMillionTokens?: number;
                /** @description EUR for a million tokens of input from the provider's prompt cache. */
                cachedInputPerMillionTokens?: number;
                /** @description EUR for a million tokens of input written into the provider's prompt cache. */
                cacheWritePerMillionTokens?: number;
                /** @description EUR for a million tokens of output. */
                outputPerMillionTokens?: number;
                /** @description EUR for a second of a recording. */
                perSecond?: number;
            };
            /** @description The energy that the work took, in Wms (1 Wms is 1 mJ). */
            energy?: number;
            /** @description The emissions of the work, in ugCO2e (micrograms). */
            emissions?: number;
            /** @description The probability on which the decision was made. */
            probability?: number;
            /** @description True if the work ended before its answer was complete. */
            brokenOff?: boolean;
            /** @description The part of the price that is not charged, because nothing was there to pay for it: EUR, as a decimal. */
            writtenOff?: string;
            /** @description EUR, as a decimal; negative for a charge. */
            amount: string;
        };
        Credits: {
            /** @description What the account has: EUR, as a decimal. */
            balance: string;
            /** @description The part of the balance that is set aside for calls in work: EUR, as a decimal. */
            reserved: string;
            /** @description The rest of the balance: EUR, as a decimal. */
            available: string;
            budget?: components["schemas"]["Budget"];
            /** @description Ledger entries, newest first. */
            entries: components["schemas"]["CreditEntry"][];
            /** @description The next page's `cursor`; absent on the last page. */
            cursor?: string;
        };
        CreditEntryList: {
            /** @description Ledger entries, newest first. */
            entries: components["schemas"]["CreditEntry"][];
            /** @description The next page's `cursor`; absent on the last page. */
            cursor?: string;
        };
        UsageRow: {
            /** @description The day in UTC, as `2026-11-21`, if rows are grouped by it. Null where charges do not say. */
            day?: string | null;
            /** @description The hour in UTC, by the time of its beginning, if rows are grouped by it. Null where charges do not say. */
            hour?: string | null;
            /** @description The id of the key, if rows are grouped by it. Null where charges do not say. */
            key?: string | null;
            /** @description The id of the model, if rows are grouped by it. Null where charges do not say. */
            model?: string | null;
            /** @description The kind of charge, if rows are grouped by it. Null where charges do not say. */
            kind?: string | null;
            /** @description The name of the skill, if rows are grouped by it. Null where charges do not say. */
            skill?: string | null;
            /** @description What was charged: EUR, as a decimal. Positive. */
            amount: string;
            /** @description Charges. A run has one for each completion. */
            requests: number;
            /** @description Tokens that were read. */
            inputTokens: number;
            /** @description The part of `inputTokens` from the providers' prompt caches. */
            cachedInputTokens: number;
            /** @description Tokens that were written. */
            outputTokens: number;
            /** @description The length of recordings in seconds. */
            seconds: number;
            /** @description The energy that the work took, in Wms (1 Wms is 1 mJ). */
            energy: number;
            /** @description The emissions of the work, in ugCO2e (micrograms). */
            emissions: number;
        };
        UsageReport: {
            /** @description The beginning of what is summed up, inclusive. */
            from: string;
            /** @description Its end, exclusive. */
            to: string;
            /** @description A row for each group that was used, sorted. */
            rows: components["schemas"]["UsageRow"][];
        };
        Health: {
            /**
             * @description `ok`, or `unavailable` while the store does not answer.
             * @constant
             */
            status: "ok";
        };
        Unavailable: {
            /**
             * @description `ok`, or `unavailable` while the store does not answer.
             * @constant
             */
            status: "unavailable";
        };
    };
    responses: {
        /** @description The key is missing, unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /** @example Unauthorized */
                "text/plain": string;
            };
        };
        /** @description The requests of this window are used up. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /** @example Too many requests, please try again later. */
                "text/plain": string;
            };
        };
        /** @description An unexpected failure; a retry may meet it again. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Internal server error"
                 *     }
                 */
                "application/json": components["schemas"]["ServiceError"];
            };
        };
        /** @description A store fails or does not answer, or the server is stopping; retry. */
        StoreUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Service temporarily at capacity. Please retry."
                 *     }
                 */
                "application/json": components["schemas"]["ServiceError"];
            };
        };
        /** @description The body did not arrive in time. The connection is closed. */
        SlowBody: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /** @example The request body did not arrive in time. Please retry. */
                "text/plain": string;
            };
        };
        /** @description A store fails or does not answer; retry. Text where runs are not switched on. */
        StoredAgentsUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /**
                 * @description Seconds after which to try again.
                 * @example 5
                 */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Service temporarily at capacity. Please retry."
                 *     }
                 */
                "application/json": components["schemas"]["ServiceError"];
                /** @example Agent service is not enabled */
                "text/plain": string;
            };
        };
        /** @description No credits are left, or the budget of the key or its organisation's ceiling is spent. */
        NoCredits: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                /**
                 * @description Seconds after which to try again.
                 * @example 5
                 */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "No remaining credits (EUR)",
                 *       "available": "0",
                 *       "needed": "0.0068"
                 *     }
                 */
                "application/json": components["schemas"]["UnpaidError"];
            };
        };
        /** @description A store fails or does not answer; retry. Text where skills are not switched on. */
        SkillsUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /**
                 * @description Seconds after which to try again.
                 * @example 5
                 */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Service temporarily at capacity. Please retry."
                 *     }
                 */
                "application/json": components["schemas"]["ServiceError"];
                /** @example Skills are not enabled */
                "text/plain": string;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request: the one that was sent, or a new one.
         * @example 7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47
         */
        "X-Request-Id": string;
        /**
         * @description How a key is sent and, to whoever sends the whole of a key that has ended, why it is refused.
         * @example Bearer error="invalid_token", error_description="This key was revoked."
         */
        "WWW-Authenticate": string;
        /**
         * @description Requests in a window, and the seconds of the window.
         * @example 600;w=900
         */
        "RateLimit-Policy": string;
        /**
         * @description Requests that a window allows.
         * @example 600
         */
        "RateLimit-Limit": number;
        /**
         * @description Requests that are left in this window.
         * @example 599
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until the window ends.
         * @example 312
         */
        "RateLimit-Reset": number;
        /**
         * @description Seconds after which to try again.
         * @example 5
         */
        "Retry-After": number;
        /**
         * @description The balance before the run, in EUR.
         * @example 4.98731
         */
        "X-Credits-Remaining": string;
        /**
         * @description The entity tag of this state of the resource.
         * @example "3-skill_1"
         */
        ETag: string;
        /**
         * @description Where it can be read.
         * @example /v1/skills/skill_1
         */
        Location: string;
        /**
         * @description `false` keeps OpenAI's clients from trying again.
         * @example false
         */
        "X-Should-Retry": string;
        /**
         * @description The same as `X-Request-Id`.
         * @example 7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47
         */
        "Request-Id": string;
        /**
         * @description The same as `X-Request-Id`.
         * @example 7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47
         */
        "X-TypeSafe-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agents. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agents": [
                     *         {
                     *           "id": "default",
                     *           "displayName": "Default agent",
                     *           "description": "Works on one question with tools: searches the web, reads pages, documents, images and recordings, remembers values and saves files. Then it answers.",
                     *           "tools": [
                     *             "web_search",
                     *             "web_crawl",
                     *             "document_parse",
                     *             "vision",
                     *             "audio_transcribe",
                     *             "save_data",
                     *             "save_file"
                     *           ],
                     *           "input": {
                     *             "type": "object",
                     *             "properties": {
                     *               "question": {
                     *                 "type": "string",
                     *                 "description": "What the run must do."
                     *               },
                     *               "documentUrl": {
                     *                 "type": "string",
                     *                 "description": "A document or image at a publicly reachable URL. An image is looked at first; a document is read when the model needs it."
                     *               },
                     *               "audioUrl": {
                     *                 "type": "string",
                     *                 "description": "A recording of a meeting at a publicly reachable URL. It is transcribed first."
                     *               }
                     *             },
                     *             "required": [
                     *               "question"
                     *             ]
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentList"];
                    /**
                     * @example # Agents
                     *
                     *     A run is asynchronous. Every request but this one carries `Authorization: Bearer <API key>`.
                     *
                     *     1. `POST /v1/agents/runs` with the input below as JSON, or as multipart/form-data with `question` and `file`. The answer is 202 with `agentId`.
                     *     2. `GET /v1/agents/runs/{agentId}/stream` sends the run's events as they happen; `Last-Event-ID` resumes after an event.
                     *     3. `GET /v1/agents/runs/{agentId}` has `status` and, once it is `succeeded`, `result`.
                     *
                     *     ## Default agent (`default`)
                     *
                     *     Works on one question with tools: searches the web, reads pages, documents, images and recordings, remembers values and saves files. Then it answers.
                     *
                     *     Tools: `web_search`, `web_crawl`, `document_parse`, `vision`, `audio_transcribe`, `save_data`, `save_file`
                     *
                     *     ### Input
                     *
                     *     - `question` (string, required): What the run must do.
                     *     - `documentUrl` (string, optional): A document or image at a publicly reachable URL. An image is looked at first; a document is read when the model needs it.
                     *     - `audioUrl` (string, optional): A recording of a meeting at a publicly reachable URL. It is transcribed first.
                     */
                    "text/markdown": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "researcher",
                 *       "description": "Tells what is new about a topic.",
                 *       "instructions": "Look for what is new since yesterday. Cite each page.",
                 *       "tools": [
                 *         "web_search",
                 *         "web_crawl"
                 *       ],
                 *       "maxCredits": "0.50",
                 *       "open": [
                 *         "maxCredits"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewAgent"];
            };
        };
        responses: {
            /** @description The agent, enabled, of version 1. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "agent_1",
                     *       "name": "researcher",
                     *       "description": "Tells what is new about a topic.",
                     *       "enabled": true,
                     *       "scope": "user",
                     *       "version": 1,
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:05:00.000Z",
                     *       "instructions": "Look for what is new since yesterday. Cite each page.",
                     *       "tools": [
                     *         "web_search",
                     *         "web_crawl"
                     *       ],
                     *       "maxCredits": "0.50",
                     *       "open": [
                     *         "maxCredits"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description What is wrong, one line each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Invalid agent:
                     *     name: is required
                     */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            408: components["responses"]["SlowBody"];
            /** @description The caller has an agent of this name. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example You already have an agent named researcher. */
                    "text/plain": string;
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The request body is larger than 6291456 bytes. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredAgentsUnavailable"];
        };
    };
    listServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The servers that this account may use. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "name": "stock",
                     *           "allowedTools": [
                     *             "pieces"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServerList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /**
                 * @description Entries on the page.
                 * @example 20
                 */
                limit?: number;
                /** @description The page before's `cursor`. */
                cursor?: string;
                /**
                 * @description Only runs of this status. `cancelled` is for runs that were cancelled, whose status is `failed`; `failed` has them too.
                 * @example succeeded
                 */
                status?: "queued" | "running" | "succeeded" | "failed" | "awaiting_input" | "cancelled";
                /**
                 * @description Only runs whose question has each of these words, in any case, in its first 512 characters.
                 * @example report
                 */
                search?: string;
                /**
                 * @description Only the runs of the chain that this run is in.
                 * @example 0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10
                 */
                thread?: string;
                /**
                 * @description Only the sub-runs of this run.
                 * @example 0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10
                 */
                parentRunId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; `cursor` is there while more follow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [
                     *         {
                     *           "agentId": "0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10",
                     *           "status": "succeeded",
                     *           "result": "Sales grew by 4 % [1].",
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "updatedAt": "2026-11-21T10:00:40.000Z",
                     *           "expiresAt": "2026-11-22T10:00:00.000Z",
                     *           "question": "What does the report say about the year 2025?",
                     *           "model": "writer",
                     *           "citations": [
                     *             {
                     *               "type": "url_citation",
                     *               "url": "https://example.com/report.pdf",
                     *               "title": "Annual report",
                     *               "number": 1,
                     *               "startIndex": 0,
                     *               "endIndex": 22,
                     *               "passage": "Sales were 4 % higher than in the year before.",
                     *               "quote": "Sales were 4 % higher than in the year before.",
                     *               "place": "page 12"
                     *             }
                     *           ],
                     *           "uncitedSentences": 0,
                     *           "usage": {
                     *             "inputTokens": 5210,
                     *             "cachedInputTokens": 0,
                     *             "outputTokens": 312,
                     *             "audioSeconds": 0,
                     *             "completions": 3,
                     *             "credits": "0.005834"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RunList"];
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example limit: must be at most 100 */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no run `thread` or `parentRunId` of this key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `agent`: entity tags of the agent, or digests of its definition in quotes, of which one must be current. With `skills` alone: those of the skill.
                 * @example "3-skill_1"
                 */
                "If-Match"?: string;
                /**
                 * @description The same key with the same body answers with the same run, for 24 hours, or for longer where runs are kept longer.
                 * @example order-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "question": "Which river of Europe is the longest? Write it to rivers.csv, and save the answer as longest river.",
                 *       "metadata": {
                 *         "ticket": "1042"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewRun"];
                /**
                 * @example {
                 *       "question": "What is in this report? Save the answer as report.",
                 *       "file": "# Report\n\nSales grew by 4 %."
                 *     }
                 */
                "multipart/form-data": components["schemas"]["NewRunForm"];
            };
        };
        responses: {
            /** @description The run is in the queue. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agentId": "0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10",
                     *       "status": "queued"
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedRun"];
                };
            };
            /** @description What is wrong, one line each; JSON where it is about the agent or the skill. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example question: is required */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Skill \"tone\": no skill of this name is visible to you.",
                     *         "type": "invalid_request_error",
                     *         "param": "skills",
                     *         "code": "skill_unresolved",
                     *         "reason": "unknown"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SkillFieldError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description No credits are left, or the budget of the key or its organisation's ceiling is spent. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "No remaining credits (EUR)",
                     *       "available": "0",
                     *       "needed": "0.0068"
                     *     }
                     */
                    "application/json": components["schemas"]["UnpaidError"];
                };
            };
            /** @description The key may not be used for runs, or not by this agent, or not with one of the models that the run needs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no run `previousRunId` of this key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            408: components["responses"]["SlowBody"];
            /** @description The `Idempotency-Key` was used with another body, or its first request is still being worked on. Or the run `previousRunId` works still, or cannot be continued. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example This Idempotency-Key was used with another request body. */
                    "text/plain": string;
                };
            };
            /** @description The agent, or the skill, is not as `If-Match` says. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Agent \"researcher\" is not as If-Match says.",
                     *         "type": "invalid_request_error",
                     *         "param": "agent",
                     *         "code": "agent_changed"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SkillFieldError"];
                };
            };
            /** @description The body or the file is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example "report.pdf" is larger than the limit of 50 MB. */
                    "text/plain": string;
                };
            };
            /** @description The file's ending is not accepted. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example Files ending in .xyz are not accepted. Accepted: .png, .jpg */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description The file could not be read. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example The file is named .pdf but its content is a PNG image. */
                    "text/plain": string;
                };
            };
            /** @description Something that is needed is switched off (text), or cannot be reached (`Retry-After`). */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example Agent service is not enabled */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "error": "Service temporarily at capacity. Please retry."
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example 0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10
                 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agentId": "0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10",
                     *       "status": "succeeded",
                     *       "result": "{\"bridges\":[{\"name\":\"Moormanbrug\",\"built\":null}]}",
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:00:40.000Z",
                     *       "expiresAt": "2026-11-22T10:00:00.000Z",
                     *       "question": "Which bridges of Den Helder can be opened?",
                     *       "model": "writer",
                     *       "citations": [
                     *         {
                     *           "type": "url_citation",
                     *           "url": "https://example.com/report.pdf",
                     *           "title": "Bridges",
                     *           "number": 1,
                     *           "startIndex": 20,
                     *           "endIndex": 33,
                     *           "passage": "The Moormanbrug can be opened.",
                     *           "quote": "The Moormanbrug can be opened.",
                     *           "place": "page 12"
                     *         }
                     *       ],
                     *       "uncitedSentences": 0,
                     *       "usage": {
                     *         "inputTokens": 5210,
                     *         "cachedInputTokens": 0,
                     *         "outputTokens": 312,
                     *         "audioSeconds": 0,
                     *         "completions": 3,
                     *         "credits": "0.005834"
                     *       },
                     *       "basis": [
                     *         {
                     *           "pointer": "/bridges/0/name",
                     *           "citations": [
                     *             {
                     *               "type": "url_citation",
                     *               "url": "https://example.com/report.pdf",
                     *               "title": "Bridges",
                     *               "number": 1,
                     *               "startIndex": 20,
                     *               "endIndex": 33,
                     *               "passage": "The Moormanbrug can be opened.",
                     *               "quote": "The Moormanbrug can be opened.",
                     *               "place": "page 12"
                     *             }
                     *           ],
                     *           "support": 0.94
                     *         }
                     *       ],
                     *       "unsupported": [
                     *         "/bridges/0/built"
                     *       ],
                     *       "output": {
                     *         "bridges": [
                     *           {
                     *             "name": "Moormanbrug",
                     *             "built": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such run of this key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    deleteRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example 0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10
                 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such run of this key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            /** @description The run is not finished. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The run is not finished. Cancel it first. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example 0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10
                 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run as it is. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agentId": "0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10",
                     *       "status": "succeeded",
                     *       "result": "Sales grew by 4 % [1].",
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:00:40.000Z",
                     *       "expiresAt": "2026-11-22T10:00:00.000Z",
                     *       "question": "What does the report say about the year 2025?",
                     *       "model": "writer",
                     *       "citations": [
                     *         {
                     *           "type": "url_citation",
                     *           "url": "https://example.com/report.pdf",
                     *           "title": "Annual report",
                     *           "number": 1,
                     *           "startIndex": 0,
                     *           "endIndex": 22,
                     *           "passage": "Sales were 4 % higher than in the year before.",
                     *           "quote": "Sales were 4 % higher than in the year before.",
                     *           "place": "page 12"
                     *         }
                     *       ],
                     *       "uncitedSentences": 0,
                     *       "usage": {
                     *         "inputTokens": 5210,
                     *         "cachedInputTokens": 0,
                     *         "outputTokens": 312,
                     *         "audioSeconds": 0,
                     *         "completions": 3,
                     *         "credits": "0.005834"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such run of this key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listRunEvents: {
        parameters: {
            query?: {
                /**
                 * @description The id of the event to go on after.
                 * @example 0
                 */
                after?: number;
                /**
                 * @description Entries on the page.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example 0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10
                 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": 12,
                     *           "at": "2026-11-21T10:00:40.000Z",
                     *           "event": {
                     *             "type": "done",
                     *             "finalText": "Sales grew by 4 % [1]."
                     *           }
                     *         }
                     *       ],
                     *       "more": false
                     *     }
                     */
                    "application/json": components["schemas"]["RunEventPage"];
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example limit: must be at most 100 */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such run of this key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that the caller has at hand.
                 * @example "3-agent_1"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The name of an agent.
                 * @example researcher
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "agent_1",
                     *       "name": "researcher",
                     *       "description": "Tells what is new about a topic.",
                     *       "enabled": true,
                     *       "scope": "user",
                     *       "version": 3,
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:05:00.000Z",
                     *       "instructions": "Look for what is new since yesterday. Cite each page.",
                     *       "tools": [
                     *         "web_search",
                     *         "web_crawl"
                     *       ],
                     *       "maxCredits": "0.50",
                     *       "open": [
                     *         "maxCredits"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such agent, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Agent not found */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredAgentsUnavailable"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that the agent must still have; without it the last write wins.
                 * @example "3-agent_1"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The name of an agent.
                 * @example researcher
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such agent, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Agent not found */
                    "text/plain": string;
                };
            };
            /** @description The agent is not as `If-Match` expects. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The resource has changed since the given ETag. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredAgentsUnavailable"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that the agent must still have; without it the last write wins.
                 * @example "3-agent_1"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The name of an agent.
                 * @example researcher
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false,
                 *       "maxCredits": null
                 *     }
                 */
                "application/json": components["schemas"]["AgentPatch"];
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "agent_1",
                     *       "name": "researcher",
                     *       "description": "Tells what is new about a topic.",
                     *       "enabled": true,
                     *       "scope": "user",
                     *       "version": 3,
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:05:00.000Z",
                     *       "instructions": "Look for what is new since yesterday. Cite each page.",
                     *       "tools": [
                     *         "web_search",
                     *         "web_crawl"
                     *       ],
                     *       "maxCredits": "0.50",
                     *       "open": [
                     *         "maxCredits"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description What is wrong, one line each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Invalid agent:
                     *     name: is required
                     */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such agent, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Agent not found */
                    "text/plain": string;
                };
            };
            408: components["responses"]["SlowBody"];
            /** @description The caller has an agent of this name. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example You already have an agent named researcher. */
                    "text/plain": string;
                };
            };
            /** @description The agent is not as `If-Match` expects. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The resource has changed since the given ETag. */
                    "text/plain": string;
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The request body is larger than 6291456 bytes. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredAgentsUnavailable"];
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                /**
                 * @description Versions on the page.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description The page before's `cursor`.
                 * @example 3
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The name of an agent.
                 * @example researcher
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; `cursor` is there while more follow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "versions": [
                     *         {
                     *           "number": 3,
                     *           "digest": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "createdAt": "2026-11-21T10:05:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentVersionList"];
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Invalid query:
                     *     limit: must be a whole number
                     */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such agent, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Agent not found */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredAgentsUnavailable"];
        };
    };
    getAgentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of an agent.
                 * @example researcher
                 */
                name: string;
                /**
                 * @description The number of a published version.
                 * @example 3
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 3,
                     *       "digest": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *       "createdAt": "2026-11-21T10:05:00.000Z",
                     *       "instructions": "Look for what is new since yesterday. Cite each page.",
                     *       "tools": [
                     *         "web_search",
                     *         "web_crawl"
                     *       ],
                     *       "maxCredits": "0.50",
                     *       "open": [
                     *         "maxCredits"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentVersion"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such agent, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Agent not found */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredAgentsUnavailable"];
        };
    };
    restoreAgentVersion: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that the agent must still have; without it the last write wins.
                 * @example "3-agent_1"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The name of an agent.
                 * @example researcher
                 */
                name: string;
                /**
                 * @description The number of a published version.
                 * @example 3
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "agent_1",
                     *       "name": "researcher",
                     *       "description": "Tells what is new about a topic.",
                     *       "enabled": true,
                     *       "scope": "user",
                     *       "version": 3,
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:05:00.000Z",
                     *       "instructions": "Look for what is new since yesterday. Cite each page.",
                     *       "tools": [
                     *         "web_search",
                     *         "web_crawl"
                     *       ],
                     *       "maxCredits": "0.50",
                     *       "open": [
                     *         "maxCredits"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such agent, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Agent not found */
                    "text/plain": string;
                };
            };
            /** @description The agent is not as `If-Match` expects. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The resource has changed since the given ETag. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoredAgentsUnavailable"];
        };
    };
    listSchedules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedules. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schedules": [
                     *         {
                     *           "id": "schedule_3xVbN8sKq2LmPzRt5YwE",
                     *           "name": "Morning news",
                     *           "question": "What is new about heat pumps since yesterday?",
                     *           "cron": "0 7 * * mon-fri",
                     *           "timeZone": "Europe/Amsterdam",
                     *           "notifyIf": {
                     *             "question": "Does the result say something that the result before does not?",
                     *             "threshold": 0.6
                     *           },
                     *           "overlap": "skip",
                     *           "paused": false,
                     *           "nextAt": "2026-11-30T06:00:00.000Z",
                     *           "createdAt": "2026-11-27T10:00:00.000Z",
                     *           "updatedAt": "2026-11-27T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Morning news",
                 *       "question": "What is new about heat pumps since yesterday?",
                 *       "cron": "0 7 * * mon-fri",
                 *       "timeZone": "Europe/Amsterdam",
                 *       "notifyIf": {
                 *         "question": "Does the result say something that the result before does not?",
                 *         "threshold": 0.6
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewSchedule"];
            };
        };
        responses: {
            /** @description The schedule. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "schedule_3xVbN8sKq2LmPzRt5YwE",
                     *       "name": "Morning news",
                     *       "question": "What is new about heat pumps since yesterday?",
                     *       "cron": "0 7 * * mon-fri",
                     *       "timeZone": "Europe/Amsterdam",
                     *       "notifyIf": {
                     *         "question": "Does the result say something that the result before does not?",
                     *         "threshold": 0.6
                     *       },
                     *       "overlap": "skip",
                     *       "paused": false,
                     *       "nextAt": "2026-11-30T06:00:00.000Z",
                     *       "createdAt": "2026-11-27T10:00:00.000Z",
                     *       "updatedAt": "2026-11-27T10:00:00.000Z",
                     *       "outcomes": []
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description What is wrong, one line each; JSON where it is about the agent or the skill. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example cron: must be given, or every, and not both */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Skill \"tone\": no skill of this name is visible to you.",
                     *         "type": "invalid_request_error",
                     *         "param": "skills",
                     *         "code": "skill_unresolved",
                     *         "reason": "unknown"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SkillFieldError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            408: components["responses"]["SlowBody"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The request body is larger than 6291456 bytes. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description Runs are switched off, or the service cannot take them now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Agent service is not enabled */
                    "text/plain": string;
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a schedule.
                 * @example schedule_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "schedule_3xVbN8sKq2LmPzRt5YwE",
                     *       "name": "Morning news",
                     *       "question": "What is new about heat pumps since yesterday?",
                     *       "cron": "0 7 * * mon-fri",
                     *       "timeZone": "Europe/Amsterdam",
                     *       "notifyIf": {
                     *         "question": "Does the result say something that the result before does not?",
                     *         "threshold": 0.6
                     *       },
                     *       "overlap": "skip",
                     *       "paused": false,
                     *       "nextAt": "2026-11-30T06:00:00.000Z",
                     *       "createdAt": "2026-11-27T10:00:00.000Z",
                     *       "updatedAt": "2026-11-27T10:00:00.000Z",
                     *       "outcomes": [
                     *         {
                     *           "at": "2026-11-27T06:00:00.000Z",
                     *           "status": "succeeded",
                     *           "agentId": "6e1c7a8e-0b52-4f0c-9c1f-6d6a3f0f2a11",
                     *           "probability": 0.81
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such schedule. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a schedule.
                 * @example schedule_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such schedule. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a schedule.
                 * @example schedule_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "paused": true
                 *     }
                 */
                "application/json": components["schemas"]["SchedulePatch"];
            };
        };
        responses: {
            /** @description The schedule as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "schedule_3xVbN8sKq2LmPzRt5YwE",
                     *       "name": "Morning news",
                     *       "question": "What is new about heat pumps since yesterday?",
                     *       "cron": "0 7 * * mon-fri",
                     *       "timeZone": "Europe/Amsterdam",
                     *       "notifyIf": {
                     *         "question": "Does the result say something that the result before does not?",
                     *         "threshold": 0.6
                     *       },
                     *       "overlap": "skip",
                     *       "paused": false,
                     *       "nextAt": "2026-11-30T06:00:00.000Z",
                     *       "createdAt": "2026-11-27T10:00:00.000Z",
                     *       "updatedAt": "2026-11-27T10:00:00.000Z",
                     *       "outcomes": [
                     *         {
                     *           "at": "2026-11-27T06:00:00.000Z",
                     *           "status": "succeeded",
                     *           "agentId": "6e1c7a8e-0b52-4f0c-9c1f-6d6a3f0f2a11",
                     *           "probability": 0.81
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description What is wrong, one line each; JSON where it is about the agent or the skill. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example cron: must be given, or every, and not both */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Skill \"tone\": no skill of this name is visible to you.",
                     *         "type": "invalid_request_error",
                     *         "param": "skills",
                     *         "code": "skill_unresolved",
                     *         "reason": "unknown"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SkillFieldError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such schedule. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            408: components["responses"]["SlowBody"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The request body is larger than 6291456 bytes. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description Runs are switched off, or the service cannot take them now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Agent service is not enabled */
                    "text/plain": string;
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `skills`: entity tags of the skill, or digests of its instructions in quotes, of which one must be current.
                 * @example "3-skill_1"
                 */
                "If-Match"?: string;
                /**
                 * @description The same key answers with the same run.
                 * @example now-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of a schedule.
                 * @example schedule_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run is in the queue. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agentId": "6e1c7a8e-0b52-4f0c-9c1f-6d6a3f0f2a11",
                     *       "status": "queued"
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedRun"];
                };
            };
            /** @description What is wrong, one line each; JSON where it is about the agent or the skill. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example Idempotency-Key: must be 1 to 255 visible ASCII characters */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Skill \"tone\": no skill of this name is visible to you.",
                     *         "type": "invalid_request_error",
                     *         "param": "skills",
                     *         "code": "skill_unresolved",
                     *         "reason": "unknown"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SkillFieldError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description No credits are left, or the budget of the key or its organisation's ceiling is spent. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "No remaining credits (EUR)",
                     *       "available": "0",
                     *       "needed": "0.0068"
                     *     }
                     */
                    "application/json": components["schemas"]["UnpaidError"];
                };
            };
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such schedule. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            /** @description So many of its runs have not ended, or the `Idempotency-Key` was used otherwise. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example 5 runs of this schedule have not ended. Wait until one has. */
                    "text/plain": string;
                };
            };
            /** @description The skill is not as `If-Match` says. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Skill \"tone\" is not as If-Match says.",
                     *         "type": "invalid_request_error",
                     *         "param": "skills",
                     *         "code": "skill_changed"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SkillFieldError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description Runs are switched off, or the service cannot take them now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example Agent service is not enabled */
                    "text/plain": string;
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filename": "meeting.mp3",
                 *       "size": 48000000
                 *     }
                 */
                "application/json": components["schemas"]["NewUpload"];
            };
        };
        responses: {
            /** @description Send the file with this method and these headers to the url. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "uploadId": "upload_1",
                     *       "url": "https://storage.example.com/uploads/meeting.mp3?signature=1",
                     *       "method": "PUT",
                     *       "headers": {
                     *         "Content-Type": "audio/mpeg",
                     *         "Content-Length": "48000000"
                     *       },
                     *       "expiresAt": "2026-11-21T10:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UploadTicket"];
                };
            };
            /** @description What is wrong, one line each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example size: must be at least 1 */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["NoCredits"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            408: components["responses"]["SlowBody"];
            /** @description The body, or the file that it names, is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example "a.mp3" is larger than the limit of 250 MB. */
                    "text/plain": string;
                };
            };
            /** @description The file's ending is not accepted. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Files ending in .xyz are not accepted. Accepted: .png, .jpg */
                    "text/plain": string;
                };
            };
            /** @description The requests of this window are used up, or the account has too many open uploads. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Too many requests, please try again later. */
                    "text/plain": string;
                };
            };
            500: components["responses"]["InternalError"];
            /** @description Uploads are switched off (text), or the storage cannot be reached (`Retry-After`). */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /** @example Temporary file storage is not enabled */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "error": "Service temporarily at capacity. Please retry."
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
        };
    };
    downloadFile: {
        parameters: {
            query?: {
                /**
                 * @description When the link ends, in seconds since the epoch.
                 * @example 1795392000
                 */
                expires?: string;
                /**
                 * @description Signs the file and the time.
                 * @example c2lnbmF0dXJl
                 */
                signature?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The run that saved the file.
                 * @example 0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10
                 */
                agentId: string;
                /**
                 * @description The file's name.
                 * @example table.csv
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A link into the storage, which works for five minutes. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The link was altered. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This link is not valid. */
                    "text/plain": string;
                };
            };
            /** @description The file is gone. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            /** @description The link has expired. */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This link has expired. */
                    "text/plain": string;
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listValues: {
        parameters: {
            query?: {
                /**
                 * @description Entries on the page.
                 * @example 20
                 */
                limit?: number;
                /** @description The page before's `cursor`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; `cursor` is there while more follow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "values": [
                     *         {
                     *           "name": "budget",
                     *           "updatedAt": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SavedValueList"];
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example limit: must be at most 100 */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a value. Encode slashes in it.
                 * @example budget
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The value. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "budget",
                     *       "updatedAt": "2026-11-21T10:00:00.000Z",
                     *       "value": "40,000 EUR"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedValue"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such value. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    deleteValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a value. Encode slashes in it.
                 * @example budget
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The value is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such value. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "id": "webhook_3xVbN8sKq2LmPzRt5YwE",
                     *           "url": "https://example.com/errand",
                     *           "events": [
                     *             "run.succeeded",
                     *             "run.failed"
                     *           ],
                     *           "description": "Reports",
                     *           "enabled": true,
                     *           "createdAt": "2026-11-23T10:00:00.000Z",
                     *           "updatedAt": "2026-11-23T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/errand",
                 *       "events": [
                 *         "run.succeeded",
                 *         "run.failed"
                 *       ],
                 *       "description": "Reports"
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook, with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "webhook_3xVbN8sKq2LmPzRt5YwE",
                     *       "url": "https://example.com/errand",
                     *       "events": [
                     *         "run.succeeded",
                     *         "run.failed"
                     *       ],
                     *       "description": "Reports",
                     *       "enabled": true,
                     *       "createdAt": "2026-11-23T10:00:00.000Z",
                     *       "updatedAt": "2026-11-23T10:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwGBG0dDkPrz4="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description What is wrong, one line each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example events: must name an event */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            408: components["responses"]["SlowBody"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The request body is larger than 6291456 bytes. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a webhook.
                 * @example webhook_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "webhook_3xVbN8sKq2LmPzRt5YwE",
                     *       "url": "https://example.com/errand",
                     *       "events": [
                     *         "run.succeeded",
                     *         "run.failed"
                     *       ],
                     *       "description": "Reports",
                     *       "enabled": true,
                     *       "createdAt": "2026-11-23T10:00:00.000Z",
                     *       "updatedAt": "2026-11-23T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such webhook. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a webhook.
                 * @example webhook_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such webhook. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a webhook.
                 * @example webhook_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "webhook_3xVbN8sKq2LmPzRt5YwE",
                     *       "url": "https://example.com/errand",
                     *       "events": [
                     *         "run.succeeded",
                     *         "run.failed"
                     *       ],
                     *       "description": "Reports",
                     *       "enabled": true,
                     *       "createdAt": "2026-11-23T10:00:00.000Z",
                     *       "updatedAt": "2026-11-23T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description What is wrong, one line each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example events: must name an event */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such webhook. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            408: components["responses"]["SlowBody"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The request body is larger than 6291456 bytes. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a webhook.
                 * @example webhook_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "webhook_3xVbN8sKq2LmPzRt5YwE",
                     *       "url": "https://example.com/errand",
                     *       "events": [
                     *         "run.succeeded",
                     *         "run.failed"
                     *       ],
                     *       "description": "Reports",
                     *       "enabled": true,
                     *       "createdAt": "2026-11-23T10:00:00.000Z",
                     *       "updatedAt": "2026-11-23T10:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwGBG0dDkPrz4=",
                     *       "previousSecretUntil": "2026-11-24T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such webhook. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a webhook.
                 * @example webhook_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is on its way. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_0VJqNs1dQ3vKx8ZbW2Lt",
                     *       "type": "webhook.test",
                     *       "status": "pending",
                     *       "attempts": 0,
                     *       "createdAt": "2026-11-23T10:05:00.000Z",
                     *       "nextAttemptAt": "2026-11-23T10:05:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such webhook. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Entries on the page.
                 * @example 20
                 */
                limit?: number;
                /** @description The page before's `cursor`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a webhook.
                 * @example webhook_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; `cursor` is there while more follow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "msg_0VJqNs1dQ3vKx8ZbW2Lt",
                     *           "type": "run.succeeded",
                     *           "status": "pending",
                     *           "attempts": 1,
                     *           "createdAt": "2026-11-23T10:05:00.000Z",
                     *           "lastAttemptAt": "2026-11-23T10:05:01.000Z",
                     *           "nextAttemptAt": "2026-11-23T10:05:06.200Z",
                     *           "response": {
                     *             "status": 503,
                     *             "body": "down for maintenance"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example limit: must be at most 100 */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such webhook. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a webhook.
                 * @example webhook_3xVbN8sKq2LmPzRt5YwE
                 */
                id: string;
                /**
                 * @description The id of a delivery.
                 * @example msg_0VJqNs1dQ3vKx8ZbW2Lt
                 */
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is on its way again. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_0VJqNs1dQ3vKx8ZbW2Lt",
                     *       "type": "run.succeeded",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "createdAt": "2026-11-23T10:05:00.000Z",
                     *       "lastAttemptAt": "2026-11-23T10:05:01.000Z",
                     *       "nextAttemptAt": "2026-11-23T10:05:06.200Z",
                     *       "response": {
                     *         "status": 503,
                     *         "body": "down for maintenance"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description This key has no such webhook, or the webhook no such delivery. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    streamRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Replays what follows this event; everything if absent.
                 * @example 12
                 */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description The run's id.
                 * @example 0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10
                 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "done",
                     *       "finalText": "Sales grew by 4 % [1]."
                     *     }
                     */
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            /** @description The caller has seen everything up to the terminal event. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for runs. */
                    "text/plain": string;
                };
            };
            /** @description There is no such run of this key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listSkills: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skills. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "skills": [
                     *         {
                     *           "id": "skill_1",
                     *           "name": "tone",
                     *           "description": "How we write.",
                     *           "enabled": true,
                     *           "scope": "user",
                     *           "version": 3,
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "updatedAt": "2026-11-21T10:05:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SkillList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for skills. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for skills. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SkillsUnavailable"];
        };
    };
    createSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "tone",
                 *       "description": "How we write.",
                 *       "instructions": "Write short sentences."
                 *     }
                 */
                "application/json": components["schemas"]["NewSkill"];
                /**
                 * @example ---
                 *     name: tone
                 *     description: How we write.
                 *     ---
                 *     Write short sentences.
                 */
                "text/markdown": string;
            };
        };
        responses: {
            /** @description The skill, enabled, of version 1. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "skill_1",
                     *       "name": "tone",
                     *       "description": "How we write.",
                     *       "enabled": true,
                     *       "scope": "user",
                     *       "version": 1,
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:05:00.000Z",
                     *       "instructions": "Write short sentences."
                     *     }
                     */
                    "application/json": components["schemas"]["Skill"];
                };
            };
            /** @description What is wrong, one line each; JSON for instructions that are too long. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Invalid skill:
                     *     name: is required
                     */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "instructions may have 20000 characters; these have 20001.",
                     *         "code": "instructions_too_long",
                     *         "limit": 20000,
                     *         "actual": 20001
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InstructionsTooLong"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for skills. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for skills. */
                    "text/plain": string;
                };
            };
            408: components["responses"]["SlowBody"];
            /** @description The caller has a skill of this name. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example You already have a skill named tone. */
                    "text/plain": string;
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The request body is larger than 6291456 bytes. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SkillsUnavailable"];
        };
    };
    getSkill: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that the caller has at hand.
                 * @example "3-9f86d081"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a skill.
                 * @example skill_1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "skill_1",
                     *       "name": "tone",
                     *       "description": "How we write.",
                     *       "enabled": true,
                     *       "scope": "user",
                     *       "version": 3,
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:05:00.000Z",
                     *       "instructions": "Write short sentences."
                     *     }
                     */
                    "application/json": components["schemas"]["Skill"];
                    /**
                     * @example ---
                     *     name: tone
                     *     description: How we write.
                     *     ---
                     *     Write short sentences.
                     */
                    "text/markdown": string;
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for skills. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for skills. */
                    "text/plain": string;
                };
            };
            /** @description There is no such skill, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Skill not found */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SkillsUnavailable"];
        };
    };
    deleteSkill: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that the skill must still have; without it the last write wins.
                 * @example "3-skill_1"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a skill.
                 * @example skill_1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for skills. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for skills. */
                    "text/plain": string;
                };
            };
            /** @description There is no such skill, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Skill not found */
                    "text/plain": string;
                };
            };
            /** @description The skill is not as `If-Match` expects. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The resource has changed since the given ETag. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SkillsUnavailable"];
        };
    };
    updateSkill: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that the skill must still have; without it the last write wins.
                 * @example "3-skill_1"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a skill.
                 * @example skill_1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["SkillPatch"];
            };
        };
        responses: {
            /** @description The skill. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "skill_1",
                     *       "name": "tone",
                     *       "description": "How we write.",
                     *       "enabled": true,
                     *       "scope": "user",
                     *       "version": 3,
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:05:00.000Z",
                     *       "instructions": "Write short sentences."
                     *     }
                     */
                    "application/json": components["schemas"]["Skill"];
                };
            };
            /** @description What is wrong, one line each; JSON for instructions that are too long. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Invalid skill:
                     *     name: is required
                     */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "instructions may have 20000 characters; these have 20001.",
                     *         "code": "instructions_too_long",
                     *         "limit": 20000,
                     *         "actual": 20001
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InstructionsTooLong"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for skills. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for skills. */
                    "text/plain": string;
                };
            };
            /** @description There is no such skill, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Skill not found */
                    "text/plain": string;
                };
            };
            408: components["responses"]["SlowBody"];
            /** @description The caller has a skill of this name. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example You already have a skill named tone. */
                    "text/plain": string;
                };
            };
            /** @description The skill is not as `If-Match` expects. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The resource has changed since the given ETag. */
                    "text/plain": string;
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The request body is larger than 6291456 bytes. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SkillsUnavailable"];
        };
    };
    listSkillVersions: {
        parameters: {
            query?: {
                /**
                 * @description Versions on the page.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description The page before's `cursor`.
                 * @example 3
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a skill.
                 * @example skill_1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; `cursor` is there while more follow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "versions": [
                     *         {
                     *           "number": 3,
                     *           "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "createdAt": "2026-11-21T10:05:00.000Z",
                     *           "tokens": 42
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SkillVersionList"];
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Invalid query:
                     *     limit: must be a whole number
                     */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for skills. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for skills. */
                    "text/plain": string;
                };
            };
            /** @description There is no such skill, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Skill not found */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SkillsUnavailable"];
        };
    };
    getSkillVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a skill.
                 * @example skill_1
                 */
                id: string;
                /**
                 * @description The number of a published version.
                 * @example 3
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 3,
                     *       "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "createdAt": "2026-11-21T10:05:00.000Z",
                     *       "tokens": 42,
                     *       "instructions": "Write short sentences."
                     *     }
                     */
                    "application/json": components["schemas"]["SkillVersion"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for skills. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for skills. */
                    "text/plain": string;
                };
            };
            /** @description There is no such skill, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Skill not found */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SkillsUnavailable"];
        };
    };
    restoreSkillVersion: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags that the skill must still have; without it the last write wins.
                 * @example "3-skill_1"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a skill.
                 * @example skill_1
                 */
                id: string;
                /**
                 * @description The number of a published version.
                 * @example 3
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "skill_1",
                     *       "name": "tone",
                     *       "description": "How we write.",
                     *       "enabled": true,
                     *       "scope": "user",
                     *       "version": 3,
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:05:00.000Z",
                     *       "instructions": "Write short sentences."
                     *     }
                     */
                    "application/json": components["schemas"]["Skill"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for skills. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example This key may not be used for skills. */
                    "text/plain": string;
                };
            };
            /** @description There is no such skill, or none that the caller may see or change. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Skill not found */
                    "text/plain": string;
                };
            };
            /** @description The skill is not as `If-Match` expects. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The resource has changed since the given ETag. */
                    "text/plain": string;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SkillsUnavailable"];
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `skills`: entity tags of the skill, or digests of its instructions in quotes, of which one must be current.
                 * @example "3-skill_1"
                 */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "writer",
                 *       "messages": [
                 *         {
                 *           "role": "system",
                 *           "content": "Answer in one sentence."
                 *         },
                 *         {
                 *           "role": "user",
                 *           "content": "Why is the sky blue?"
                 *         }
                 *       ],
                 *       "temperature": 0.2
                 *     }
                 */
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description One JSON object, or with `stream: true` the same in chunks as server-sent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chatcmpl-1",
                     *       "object": "chat.completion",
                     *       "created": 1795305600,
                     *       "model": "writer",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "message": {
                     *             "role": "assistant",
                     *             "content": "Air scatters blue light more than red light."
                     *           },
                     *           "finish_reason": "stop"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "prompt_tokens": 24,
                     *         "completion_tokens": 17,
                     *         "total_tokens": 41
                     *       },
                     *       "impact": {
                     *         "version": "20261121",
                     *         "inferenceTime": {
                     *           "total": 2000,
                     *           "unit": "ms"
                     *         },
                     *         "energy": {
                     *           "total": 105000,
                     *           "unit": "Wms"
                     *         },
                     *         "emissions": {
                     *           "total": 7379,
                     *           "unit": "ugCO2e"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChatCompletion"];
                    /**
                     * @example {
                     *       "id": "chatcmpl-1",
                     *       "object": "chat.completion.chunk",
                     *       "created": 1795305600,
                     *       "model": "writer",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "delta": {},
                     *           "finish_reason": "stop"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "prompt_tokens": 24,
                     *         "completion_tokens": 17,
                     *         "total_tokens": 41
                     *       },
                     *       "impact": {
                     *         "version": "20261121",
                     *         "inferenceTime": {
                     *           "total": 2000,
                     *           "unit": "ms"
                     *         },
                     *         "energy": {
                     *           "total": 105000,
                     *           "unit": "Wms"
                     *         },
                     *         "emissions": {
                     *           "total": 7379,
                     *           "unit": "ugCO2e"
                     *         }
                     *       }
                     *     }
                     */
                    "text/event-stream": components["schemas"]["ChatCompletionEvent"];
                };
            };
            /** @description The request, its model or its skill is not valid, or its text is longer than its model reads. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "There is no model \"nobody\". The nearest that this key may use is \"writer\". GET /v1/models lists all models.",
                     *         "type": "invalid_request_error",
                     *         "param": "model",
                     *         "code": "model_not_found"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description No credits are left, or a budget is spent; `error` is an object where it is a budget. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "No remaining credits (EUR)",
                     *       "available": "0",
                     *       "needed": "0.0068"
                     *     }
                     */
                    "application/json": components["schemas"]["UnpaidError"] | components["schemas"]["OpenAiError"];
                };
            };
            /** @description The key may not be used for chat, or not with this model. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This key may not use the model \"writer\".",
                     *         "type": "invalid_request_error",
                     *         "param": "model",
                     *         "code": "model_forbidden"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body did not arrive in time. Please retry.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "body_too_slow"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The skill is not as `If-Match` says. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Skill \"tone\" is not as If-Match says.",
                     *         "type": "invalid_request_error",
                     *         "param": "skills",
                     *         "code": "skill_changed"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 6291456 bytes.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "body_too_large"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description No capacity, or the server is stopping, in which case `error` is an object. Text where a skill is named and skills are not switched on. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description `false` keeps OpenAI's clients from trying again.
                     * @example false
                     */
                    "X-Should-Retry"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Service temporarily at capacity. Please retry."
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"] | components["schemas"]["OpenAiError"];
                    /** @example Skills are not enabled */
                    "text/plain": string;
                };
            };
            /** @description The model did not answer in time; streams have no such limit. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Should-Retry": components["headers"]["X-Should-Retry"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The model did not answer in time. Streaming has no such limit.",
                     *         "type": "server_error",
                     *         "param": null,
                     *         "code": "timeout"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    createEmbeddings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "meaning",
                 *       "input": [
                 *         "The ferry leaves at six.",
                 *         "When does the boat go?"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EmbeddingRequest"];
            };
        };
        responses: {
            /** @description The vectors. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "object": "embedding",
                     *           "index": 0,
                     *           "embedding": [
                     *             0.6,
                     *             -0.8
                     *           ]
                     *         },
                     *         {
                     *           "object": "embedding",
                     *           "index": 1,
                     *           "embedding": [
                     *             0.8,
                     *             -0.6
                     *           ]
                     *         }
                     *       ],
                     *       "model": "meaning",
                     *       "usage": {
                     *         "prompt_tokens": 12,
                     *         "total_tokens": 12
                     *       },
                     *       "impact": {
                     *         "version": "20261121",
                     *         "inferenceTime": {
                     *           "total": 2000,
                     *           "unit": "ms"
                     *         },
                     *         "energy": {
                     *           "total": 105000,
                     *           "unit": "Wms"
                     *         },
                     *         "emissions": {
                     *           "total": 7379,
                     *           "unit": "ugCO2e"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EmbeddingList"];
                };
            };
            /** @description The request or its model is not valid, or the model refuses it. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Model \"writer\" makes no embeddings.",
                     *         "type": "invalid_request_error",
                     *         "param": "model",
                     *         "code": "model_kind_unsupported"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description No credits are left, or a budget is spent; `error` is an object where it is a budget. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "No remaining credits (EUR)",
                     *       "available": "0",
                     *       "needed": "0.0068"
                     *     }
                     */
                    "application/json": components["schemas"]["UnpaidError"] | components["schemas"]["OpenAiError"];
                };
            };
            /** @description The key may not be used for chat, or not with this model. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This key may not use the model \"writer\".",
                     *         "type": "invalid_request_error",
                     *         "param": "model",
                     *         "code": "model_forbidden"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body did not arrive in time. Please retry.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "body_too_slow"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 6291456 bytes.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "body_too_large"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description No capacity, or the server is stopping, in which case `error` is an object. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description `false` keeps OpenAI's clients from trying again.
                     * @example false
                     */
                    "X-Should-Retry"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Service temporarily at capacity. Please retry."
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"] | components["schemas"]["OpenAiError"];
                };
            };
            /** @description The model did not answer in time. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Should-Retry": components["headers"]["X-Should-Retry"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The model did not answer in time.",
                     *         "type": "server_error",
                     *         "param": null,
                     *         "code": "timeout"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Anthropic's clients send it.
                 * @example 2023-06-01
                 */
                "anthropic-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every model. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "writer",
                     *           "object": "model",
                     *           "type": "model",
                     *           "display_name": "writer",
                     *           "created_at": "2026-11-22T00:00:00.000Z",
                     *           "created": 1795305600,
                     *           "owned_by": "operator",
                     *           "kind": "chat",
                     *           "context_length": 32768,
                     *           "pricing": {
                     *             "currency": "EUR",
                     *             "inputPerMillionTokens": 1,
                     *             "outputPerMillionTokens": 2
                     *           },
                     *           "capabilities": {
                     *             "tools": true,
                     *             "images": false,
                     *             "structuredOutput": true,
                     *             "streaming": true
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "first_id": "writer",
                     *       "last_id": "writer",
                     *       "models": [
                     *         {
                     *           "name": "writer",
                     *           "description": "Writes and calls tools.",
                     *           "release_date": "2026-11-21"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description The key is missing, unknown, revoked or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Unauthorized */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "authentication_error",
                     *         "message": "Unauthorized"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description The requests of this window are used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Too many requests, please try again later. */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "rate_limit_error",
                     *         "message": "Too many requests, please try again later."
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description An unexpected failure; a retry may meet it again. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"] | components["schemas"]["AnthropicError"];
                };
            };
            /** @description A store fails or does not answer, or the server is stopping; retry. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This server is stopping. Please retry."
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"] | components["schemas"]["AnthropicError"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Anthropic's clients send it.
                 * @example 2023-06-01
                 */
                "anthropic-version"?: string;
            };
            path: {
                /**
                 * @description The id of a model. It may have slashes.
                 * @example writer
                 */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "writer",
                     *       "object": "model",
                     *       "type": "model",
                     *       "display_name": "writer",
                     *       "created_at": "2026-11-22T00:00:00.000Z",
                     *       "created": 1795305600,
                     *       "owned_by": "operator",
                     *       "kind": "chat",
                     *       "context_length": 32768,
                     *       "pricing": {
                     *         "currency": "EUR",
                     *         "inputPerMillionTokens": 1,
                     *         "outputPerMillionTokens": 2
                     *       },
                     *       "capabilities": {
                     *         "tools": true,
                     *         "images": false,
                     *         "structuredOutput": true,
                     *         "streaming": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Model"];
                };
            };
            /** @description The key is missing, unknown, revoked or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Unauthorized */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "authentication_error",
                     *         "message": "Unauthorized"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description There is no such model. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "There is no model \"nobody\". The nearest that this key may use is \"writer\". GET /v1/models lists all models.",
                     *         "type": "invalid_request_error",
                     *         "param": "model",
                     *         "code": "model_not_found"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"] | components["schemas"]["AnthropicError"];
                };
            };
            /** @description The requests of this window are used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Too many requests, please try again later. */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "rate_limit_error",
                     *         "message": "Too many requests, please try again later."
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["AnthropicError"];
                };
            };
            /** @description An unexpected failure; a retry may meet it again. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"] | components["schemas"]["AnthropicError"];
                };
            };
            /** @description A store fails or does not answer, or the server is stopping; retry. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This server is stopping. Please retry."
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"] | components["schemas"]["AnthropicError"];
                };
            };
        };
    };
    listPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prices. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "model": "writer",
                     *           "kind": "chat",
                     *           "currency": "EUR",
                     *           "inputPerMillionTokens": 1,
                     *           "cachedInputPerMillionTokens": 0.5,
                     *           "outputPerMillionTokens": 2
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PriceList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a model. It may have slashes.
                 * @example writer
                 */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "model": "writer",
                     *       "kind": "chat",
                     *       "currency": "EUR",
                     *       "inputPerMillionTokens": 1,
                     *       "cachedInputPerMillionTokens": 0.5,
                     *       "outputPerMillionTokens": 2
                     *     }
                     */
                    "application/json": components["schemas"]["ModelPrice"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description There is no such model. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    createMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `skills`: entity tags of the skill, or digests of its instructions in quotes, of which one must be current.
                 * @example "3-skill_1"
                 */
                "If-Match"?: string;
                /**
                 * @description The version of the protocol, for providers that speak it: `2023-06-01` if absent.
                 * @example 2023-06-01
                 */
                "anthropic-version"?: string;
                /**
                 * @description Betas, for providers that speak the protocol. Others are told nothing of them.
                 * @example interleaved-thinking-2025-05-14
                 */
                "anthropic-beta"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "writer",
                 *       "max_tokens": 200,
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "Why is the sky blue?"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            /** @description The message, or with `stream: true` its events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *       "type": "message",
                     *       "role": "assistant",
                     *       "model": "writer",
                     *       "content": [
                     *         {
                     *           "type": "text",
                     *           "text": "Air scatters blue light more than red light."
                     *         }
                     *       ],
                     *       "stop_reason": "end_turn",
                     *       "stop_sequence": null,
                     *       "usage": {
                     *         "input_tokens": 24,
                     *         "cache_read_input_tokens": 0,
                     *         "cache_creation_input_tokens": 0,
                     *         "output_tokens": 17
                     *       },
                     *       "impact": {
                     *         "version": "20261121",
                     *         "inferenceTime": {
                     *           "total": 2000,
                     *           "unit": "ms"
                     *         },
                     *         "energy": {
                     *           "total": 105000,
                     *           "unit": "Wms"
                     *         },
                     *         "emissions": {
                     *           "total": 7379,
                     *           "unit": "ugCO2e"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                    /**
                     * @example {
                     *       "type": "content_block_delta",
                     *       "index": 0,
                     *       "delta": {
                     *         "type": "text_delta",
                     *         "text": "Air"
                     *       }
                     *     }
                     */
                    "text/event-stream": components["schemas"]["MessageEvent"];
                };
            };
            /** @description The request, its model or its skill is not valid, or its text is longer than its model reads. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "invalid_request_error",
                     *         "message": "max_tokens: must be at least 1",
                     *         "code": "invalid_request"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The key is missing, unknown, revoked or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "authentication_error",
                     *         "message": "Unauthorized"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description No credits are left, or a budget is spent. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "billing_error",
                     *         "message": "No remaining credits (EUR)",
                     *         "available": "0",
                     *         "needed": "0.0068"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The key may not be used for chat, or not with this model. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "permission_error",
                     *         "message": "This key may not use the model \"writer\".",
                     *         "code": "model_forbidden"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "timeout_error",
                     *         "message": "The request body did not arrive in time. Please retry.",
                     *         "code": "body_too_slow"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The skill is not as `If-Match` says. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "invalid_request_error",
                     *         "message": "Skill \"tone\" is not as If-Match says.",
                     *         "code": "skill_changed"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "request_too_large",
                     *         "message": "The request body is larger than 6291456 bytes.",
                     *         "code": "body_too_large"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The requests of this window are used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "rate_limit_error",
                     *         "message": "Too many requests, please try again later."
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description An unexpected failure; a retry may meet it again. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "api_error",
                     *         "message": "Internal server error"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description No capacity, a store fails, skills are not switched on, or the server is stopping. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description `false` keeps OpenAI's clients from trying again.
                     * @example false
                     */
                    "X-Should-Retry"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "overloaded_error",
                     *         "message": "This server is stopping. Please retry.",
                     *         "code": "stopping"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The model did not answer in time; streams have no such limit. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Should-Retry": components["headers"]["X-Should-Retry"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "timeout_error",
                     *         "message": "The model did not answer in time. Streaming has no such limit.",
                     *         "code": "timeout"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
        };
    };
    countMessageTokens: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `skills`: entity tags of the skill, or digests of its instructions in quotes, of which one must be current.
                 * @example "3-skill_1"
                 */
                "If-Match"?: string;
                /**
                 * @description The version of the protocol, for providers that speak it: `2023-06-01` if absent.
                 * @example 2023-06-01
                 */
                "anthropic-version"?: string;
                /**
                 * @description Betas, for providers that speak the protocol. Others are told nothing of them.
                 * @example interleaved-thinking-2025-05-14
                 */
                "anthropic-beta"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "writer",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "Why is the sky blue?"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MessageCountRequest"];
            };
        };
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "input_tokens": 24
                     *     }
                     */
                    "application/json": components["schemas"]["MessageTokenCount"];
                };
            };
            /** @description The request, its model or its skill is not valid, or its text is longer than its model reads. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "invalid_request_error",
                     *         "message": "max_tokens: must be at least 1",
                     *         "code": "invalid_request"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The key is missing, unknown, revoked or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "authentication_error",
                     *         "message": "Unauthorized"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The key may not be used for chat, or not with this model. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "permission_error",
                     *         "message": "This key may not use the model \"writer\".",
                     *         "code": "model_forbidden"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "timeout_error",
                     *         "message": "The request body did not arrive in time. Please retry.",
                     *         "code": "body_too_slow"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The skill is not as `If-Match` says. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "invalid_request_error",
                     *         "message": "Skill \"tone\" is not as If-Match says.",
                     *         "code": "skill_changed"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "request_too_large",
                     *         "message": "The request body is larger than 6291456 bytes.",
                     *         "code": "body_too_large"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The requests of this window are used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "rate_limit_error",
                     *         "message": "Too many requests, please try again later."
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description An unexpected failure; a retry may meet it again. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "api_error",
                     *         "message": "Internal server error"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description No capacity, a store fails, skills are not switched on, or the server is stopping. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description `false` keeps OpenAI's clients from trying again.
                     * @example false
                     */
                    "X-Should-Retry"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "overloaded_error",
                     *         "message": "This server is stopping. Please retry.",
                     *         "code": "stopping"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description The model did not answer in time; streams have no such limit. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Should-Retry": components["headers"]["X-Should-Retry"];
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "error",
                     *       "error": {
                     *         "type": "timeout_error",
                     *         "message": "The model did not answer in time. Streaming has no such limit.",
                     *         "code": "timeout"
                     *       },
                     *       "request_id": "7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
        };
    };
    askSystemOne: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "judge",
                 *       "state": "The server has been down for an hour.",
                 *       "questions": {
                 *         "urgent": {
                 *           "type": "noul",
                 *           "instructions": "Is this urgent?"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DecisionRequest"];
            };
        };
        responses: {
            /** @description The answers, in the order of the questions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "model": "judge",
                     *       "answers": {
                     *         "urgent": {
                     *           "type": "noul",
                     *           "noul": 0.93
                     *         }
                     *       },
                     *       "usage": {
                     *         "input_tokens": 120,
                     *         "output_tokens": 0
                     *       },
                     *       "impact": {
                     *         "version": "20261121",
                     *         "inferenceTime": {
                     *           "total": 2000,
                     *           "unit": "ms"
                     *         },
                     *         "energy": {
                     *           "total": 105000,
                     *           "unit": "Wms"
                     *         },
                     *         "emissions": {
                     *           "total": 7379,
                     *           "unit": "ugCO2e"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description There is no such model, it takes no decisions, it cannot read the images, or the body is no JSON. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported model"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            /** @description The key is missing, unknown, revoked or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Unauthorized */
                    "text/plain": string;
                };
            };
            /** @description No credits are left, or the budget of the key or its organisation's ceiling is spent. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "No remaining credits (EUR)",
                     *       "available": "0",
                     *       "needed": "0.0003"
                     *     }
                     */
                    "application/json": components["schemas"]["UnpaidError"];
                };
            };
            /** @description Asked of a deployment outside the EU, or not allowed to the key. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Decisions are served from the EU endpoint only",
                     *       "code": "endpoint_not_available_in_location"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The request body did not arrive in time. Please retry.",
                     *       "code": "body_too_slow"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Request body too large",
                     *       "code": "body_too_large"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            /** @description The body is not valid, or does not fit the context. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "questions: is required",
                     *       "code": "invalid_request"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            /** @description The requests of this window are used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example Too many requests, please try again later. */
                    "text/plain": string;
                };
            };
            /** @description An internal failure; a retry meets it again. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Internal server error",
                     *       "code": "internal_error"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            /** @description The model is at capacity; retry. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Service temporarily degraded. Please retry.",
                     *       "code": "service_degraded"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            /** @description Not answered within the time limit. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-TypeSafe-Request-Id": components["headers"]["X-TypeSafe-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Request timed out",
                     *       "code": "timeout"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
        };
    };
    createDecision: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "judge",
                 *       "input": "The server has been down for an hour.",
                 *       "questions": [
                 *         {
                 *           "type": "predicate",
                 *           "name": "urgent",
                 *           "instructions": "Is this urgent?"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["OpenAiDecisionRequest"];
            };
        };
        responses: {
            /** @description The answers, in the order of the questions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "model": "judge",
                     *       "answers": [
                     *         {
                     *           "type": "predicate",
                     *           "name": "urgent",
                     *           "probability": 0.93
                     *         }
                     *       ],
                     *       "usage": {
                     *         "input_tokens": 120,
                     *         "input_tokens_details": {
                     *           "cached_tokens": 0,
                     *           "cache_write_tokens": 0
                     *         },
                     *         "output_tokens": 0,
                     *         "output_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         },
                     *         "total_tokens": 120
                     *       },
                     *       "impact": {
                     *         "version": "20261121",
                     *         "inferenceTime": {
                     *           "total": 2000,
                     *           "unit": "ms"
                     *         },
                     *         "energy": {
                     *           "total": 105000,
                     *           "unit": "Wms"
                     *         },
                     *         "emissions": {
                     *           "total": 7379,
                     *           "unit": "ugCO2e"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiDecision"];
                };
            };
            /** @description There is no such model, it takes no decisions, it cannot read the images, or the body is no JSON. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unsupported model",
                     *         "type": "invalid_request_error",
                     *         "param": "model",
                     *         "code": "model_not_found"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The key is missing, unknown, revoked or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "unauthorized"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description No credits are left, or the budget of the key or its organisation's ceiling is spent. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "No remaining credits (EUR)",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "no_credits"
                     *       },
                     *       "available": "0",
                     *       "needed": "0.0003"
                     *     }
                     */
                    "application/json": components["schemas"]["UnpaidOpenAiError"];
                };
            };
            /** @description Asked of a deployment outside the EU, or not allowed to the key. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Decisions are served from the EU endpoint only",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "endpoint_not_available_in_location"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body did not arrive in time. Please retry.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "body_too_slow"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Request body too large",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "body_too_large"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body is not valid, or does not fit the context. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "questions: is required",
                     *         "type": "invalid_request_error",
                     *         "param": "questions",
                     *         "code": "invalid_request"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The requests of this window are used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests, please try again later.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "rate_limited"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description An internal failure; a retry meets it again. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Internal server error",
                     *         "type": "server_error",
                     *         "param": null,
                     *         "code": "internal_error"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The model is at capacity; retry. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Service temporarily degraded. Please retry.",
                     *         "type": "server_error",
                     *         "param": null,
                     *         "code": "service_degraded"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description Not answered within the time limit. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Request timed out",
                     *         "type": "server_error",
                     *         "param": null,
                     *         "code": "timeout"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `agent`: entity tags of the agent, or digests of its definition in quotes, of which one must be current. With `skills` alone: those of the skill.
                 * @example "3-skill_1"
                 */
                "If-Match"?: string;
                /**
                 * @description The same key with the same body answers with the same run, for 24 hours, or for longer where runs are kept longer. Chat models do not read it.
                 * @example order-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "writer",
                 *       "input": "Why is the sky blue?",
                 *       "max_output_tokens": 200
                 *     }
                 */
                "application/json": components["schemas"]["ResponseRequest"];
            };
        };
        responses: {
            /** @description The response, or with `stream: true` its events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The balance before the run, in EUR.
                     * @example 4.98731
                     */
                    "X-Credits-Remaining"?: string;
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "resp_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *       "object": "response",
                     *       "created_at": 1795305600,
                     *       "status": "completed",
                     *       "error": null,
                     *       "incomplete_details": null,
                     *       "model": "writer",
                     *       "output": [
                     *         {
                     *           "type": "message",
                     *           "id": "msg_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *           "status": "completed",
                     *           "role": "assistant",
                     *           "content": [
                     *             {
                     *               "type": "output_text",
                     *               "text": "Air scatters blue light more than red light.",
                     *               "annotations": [],
                     *               "logprobs": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "usage": {
                     *         "input_tokens": 24,
                     *         "input_tokens_details": {
                     *           "cached_tokens": 0
                     *         },
                     *         "output_tokens": 17,
                     *         "output_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         },
                     *         "total_tokens": 41
                     *       },
                     *       "impact": {
                     *         "version": "20261121",
                     *         "inferenceTime": {
                     *           "total": 2000,
                     *           "unit": "ms"
                     *         },
                     *         "energy": {
                     *           "total": 105000,
                     *           "unit": "Wms"
                     *         },
                     *         "emissions": {
                     *           "total": 7379,
                     *           "unit": "ugCO2e"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Response"];
                    /**
                     * @example {
                     *       "type": "response.output_text.delta",
                     *       "sequence_number": 4,
                     *       "item_id": "msg_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *       "output_index": 0,
                     *       "content_index": 0,
                     *       "delta": "Air",
                     *       "logprobs": []
                     *     }
                     */
                    "text/event-stream": components["schemas"]["ResponseEvent"];
                };
            };
            /** @description The request, its model or its skill is not valid, or its text is longer than its model reads. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "conversation: is not kept here",
                     *         "type": "invalid_request_error",
                     *         "param": "conversation",
                     *         "code": "invalid_request"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description No credits are left, or a budget is spent; `error` is an object where it is a budget. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "No remaining credits (EUR)",
                     *       "available": "0",
                     *       "needed": "0.0068"
                     *     }
                     */
                    "application/json": components["schemas"]["UnpaidError"] | components["schemas"]["OpenAiError"];
                };
            };
            /** @description The key may not be used for this, or not with this model or agent. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This key may not use the model \"writer\".",
                     *         "type": "invalid_request_error",
                     *         "param": "model",
                     *         "code": "model_forbidden"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description What the request follows or refers to is not kept here for this key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "There is no such previous response.",
                     *         "type": "invalid_request_error",
                     *         "param": "previous_response_id",
                     *         "code": "previous_response_not_found"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body did not arrive in time. Please retry.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "body_too_slow"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The `Idempotency-Key` was used with another body, or its first request is still being worked on. Or no run can go on from `previous_response_id`: it has not ended, it is not kept in full, its chain is full, or its calls were approved before. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This Idempotency-Key was used with another request body.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "idempotency_conflict"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The agent, or the skill, is not as `If-Match` says. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Agent \"researcher\" is not as If-Match says.",
                     *         "type": "invalid_request_error",
                     *         "param": "agent",
                     *         "code": "agent_changed"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The body or its file is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 6291456 bytes.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "body_too_large"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The ending of a run's file is not accepted. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Files ending in .xyz are not accepted. Accepted: .png, .jpg",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "extension_not_accepted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description The file of a run could not be read. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The file is named .pdf but its content is a PNG image.",
                     *         "type": "server_error",
                     *         "param": null,
                     *         "code": "upload_unreadable"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description No capacity, or the server is stopping, in which case `error` is an object. Text where a skill is named and skills are not switched on. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description Seconds after which to try again.
                     * @example 5
                     */
                    "Retry-After"?: number;
                    /**
                     * @description `false` keeps OpenAI's clients from trying again.
                     * @example false
                     */
                    "X-Should-Retry"?: string;
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Service temporarily at capacity. Please retry."
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"] | components["schemas"]["OpenAiError"];
                    /** @example Skills are not enabled */
                    "text/plain": string;
                };
            };
            /** @description The model did not answer in time; streams have no such limit. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Should-Retry": components["headers"]["X-Should-Retry"];
                    /**
                     * @description The name of the stored agent that the run is by.
                     * @example researcher
                     */
                    "X-Agent"?: string;
                    /**
                     * @description The published version of the agent; absent if its definition is none.
                     * @example 3
                     */
                    "X-Agent-Version"?: number;
                    /**
                     * @description SHA-256 of the agent's definition, as lower-case hex.
                     * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
                     */
                    "X-Agent-Content-Hash"?: string;
                    /**
                     * @description The name of the skill that shaped the answer.
                     * @example tone
                     */
                    "X-Skill"?: string;
                    /**
                     * @description Tokens of the skill's block, by the o200k encoding.
                     * @example 42
                     */
                    "X-Skill-Injected-Tokens"?: number;
                    /**
                     * @description SHA-256 of the skill's instructions, as lower-case hex.
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    "X-Skill-Content-Hash"?: string;
                    /**
                     * @description The published version of the skill; absent if its instructions are none.
                     * @example 3
                     */
                    "X-Skill-Version"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The model did not answer in time. Streaming has no such limit.",
                     *         "type": "server_error",
                     *         "param": null,
                     *         "code": "timeout"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
        };
    };
    getResponse: {
        parameters: {
            query?: {
                /**
                 * @description Whether the events are asked for, which a run's response has.
                 * @example true
                 */
                stream?: "true" | "false";
                /**
                 * @description The `sequence_number` of the event to go on after; all without it.
                 * @example 0
                 */
                starting_after?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a response.
                 * @example resp_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response, or its events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "resp_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *       "object": "response",
                     *       "created_at": 1795305600,
                     *       "status": "completed",
                     *       "error": null,
                     *       "incomplete_details": null,
                     *       "model": "writer",
                     *       "output": [
                     *         {
                     *           "type": "message",
                     *           "id": "msg_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *           "status": "completed",
                     *           "role": "assistant",
                     *           "content": [
                     *             {
                     *               "type": "output_text",
                     *               "text": "Air scatters blue light more than red light.",
                     *               "annotations": [],
                     *               "logprobs": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "usage": {
                     *         "input_tokens": 24,
                     *         "input_tokens_details": {
                     *           "cached_tokens": 0
                     *         },
                     *         "output_tokens": 17,
                     *         "output_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         },
                     *         "total_tokens": 41
                     *       },
                     *       "impact": {
                     *         "version": "20261121",
                     *         "inferenceTime": {
                     *           "total": 2000,
                     *           "unit": "ms"
                     *         },
                     *         "energy": {
                     *           "total": 105000,
                     *           "unit": "Wms"
                     *         },
                     *         "emissions": {
                     *           "total": 7379,
                     *           "unit": "ugCO2e"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Response"];
                    /**
                     * @example {
                     *       "type": "response.output_text.delta",
                     *       "sequence_number": 4,
                     *       "item_id": "msg_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *       "output_index": 0,
                     *       "content_index": 0,
                     *       "delta": "Air",
                     *       "logprobs": []
                     *     }
                     */
                    "text/event-stream": components["schemas"]["ResponseEvent"];
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "stream: must be true or false",
                     *         "type": "invalid_request_error",
                     *         "param": "stream",
                     *         "code": "invalid_request"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for chat, or for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This key may not be used for chat.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "route_forbidden"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description There is no such response, it is no longer kept, or it is another key's. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "There is no such response.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    deleteResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a response.
                 * @example resp_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "resp_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *       "object": "response",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for chat, or for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This key may not be used for chat.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "route_forbidden"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description There is no such response, it is no longer kept, or it is another key's. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "There is no such response.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description The run is not finished. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The run is not finished. Cancel it first.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "run_not_finished"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    cancelResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a response.
                 * @example resp_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response as it is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3f1c2a9e-5b7d-4e60-8a1f-9c0d2b4e6f71",
                     *       "object": "response",
                     *       "created_at": 1795305600,
                     *       "status": "cancelled",
                     *       "error": null,
                     *       "incomplete_details": null,
                     *       "model": "agent:default",
                     *       "output": [
                     *         {
                     *           "type": "message",
                     *           "id": "msg_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *           "status": "completed",
                     *           "role": "assistant",
                     *           "content": [
                     *             {
                     *               "type": "output_text",
                     *               "text": "Air scatters blue light more than red light.",
                     *               "annotations": [],
                     *               "logprobs": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "usage": {
                     *         "input_tokens": 24,
                     *         "input_tokens_details": {
                     *           "cached_tokens": 0
                     *         },
                     *         "output_tokens": 17,
                     *         "output_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         },
                     *         "total_tokens": 41,
                     *         "audio_seconds": 0,
                     *         "credits": "0.00058"
                     *       },
                     *       "background": true
                     *     }
                     */
                    "application/json": components["schemas"]["Response"];
                };
            };
            /** @description The response does not work in the background. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Only responses with background: true can be cancelled.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "invalid_request"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for chat, or for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This key may not be used for chat.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "route_forbidden"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description There is no such response, it is no longer kept, or it is another key's. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "There is no such response.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listInputItems: {
        parameters: {
            query?: {
                /**
                 * @description Entries on the page.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Whether the newest item (`desc`) or the oldest one is the first.
                 * @example desc
                 */
                order?: "asc" | "desc";
                /** @description The `last_id` of the page before. */
                after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a response.
                 * @example resp_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; `has_more` is true while more follow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "msg_in_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *           "type": "message",
                     *           "role": "user",
                     *           "content": [
                     *             {
                     *               "type": "input_text",
                     *               "text": "Why is the sky blue?"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "first_id": "msg_in_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *       "last_id": "msg_in_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d",
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ResponseInputItemList"];
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "limit: must be at most 100",
                     *         "type": "invalid_request_error",
                     *         "param": "limit",
                     *         "code": "invalid_request"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key may not be used for chat, or for runs. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This key may not be used for chat.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": "route_forbidden"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            /** @description There is no such response, it is no longer kept, or it is another key's. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "There is no such response.",
                     *         "type": "invalid_request_error",
                     *         "param": null,
                     *         "code": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    callMcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/call",
                 *       "params": {
                 *         "name": "ask",
                 *         "arguments": {
                 *           "question": "What is the capital of France?"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["McpRequest"];
            };
        };
        responses: {
            /** @description The answer; as events where there is progress to tell. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "content": [
                     *           {
                     *             "type": "text",
                     *             "text": "Paris"
                     *           }
                     *         ],
                     *         "structuredContent": {
                     *           "status": "succeeded"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["McpMessage"];
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "content": [
                     *           {
                     *             "type": "text",
                     *             "text": "Paris"
                     *           }
                     *         ],
                     *         "structuredContent": {
                     *           "status": "succeeded"
                     *         }
                     *       }
                     *     }
                     */
                    "text/event-stream": components["schemas"]["McpMessage"];
                };
            };
            /** @description A notification was taken. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A message that cannot be read, or of another version. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "error": {
                     *         "code": -32700,
                     *         "message": "Malformed JSON in request body"
                     *       },
                     *       "id": null
                     *     }
                     */
                    "application/json": components["schemas"]["McpMessage"];
                };
            };
            /** @description The key is missing, unknown, revoked or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Unauthorized"
                     *       },
                     *       "id": null
                     *     }
                     */
                    "application/json": components["schemas"]["McpMessage"];
                };
            };
            /** @description `Accept` lacks `application/json` or `text/event-stream`. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Not Acceptable"
                     *       },
                     *       "id": null
                     *     }
                     */
                    "application/json": components["schemas"]["McpMessage"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "The request body did not arrive in time. Please retry."
                     *       },
                     *       "id": null
                     *     }
                     */
                    "application/json": components["schemas"]["McpMessage"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "The request body is larger than 6291456 bytes."
                     *       },
                     *       "id": null
                     *     }
                     */
                    "application/json": components["schemas"]["McpMessage"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Unsupported Media Type"
                     *       },
                     *       "id": null
                     *     }
                     */
                    "application/json": components["schemas"]["McpMessage"];
                };
            };
            /** @description The requests of this window are used up. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Too many requests, please try again later."
                     *       },
                     *       "id": null
                     *     }
                     */
                    "application/json": components["schemas"]["McpMessage"];
                };
            };
            /** @description An unexpected failure; a retry may meet it again. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "error": {
                     *         "code": -32603,
                     *         "message": "Internal server error"
                     *       },
                     *       "id": null
                     *     }
                     */
                    "application/json": components["schemas"]["McpMessage"];
                };
            };
            /** @description A store fails or does not answer, or the server is stopping; retry. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "error": {
                     *         "code": -32603,
                     *         "message": "Service temporarily at capacity. Please retry."
                     *       },
                     *       "id": null
                     *     }
                     */
                    "application/json": components["schemas"]["McpMessage"];
                };
            };
        };
    };
    getCredits: {
        parameters: {
            query?: {
                /**
                 * @description Entries on the page.
                 * @example 100
                 */
                limit?: number;
                /** @description The page before's `cursor`, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance; `cursor` is there while more entries follow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "balance": "4.98731",
                     *       "reserved": "0",
                     *       "available": "4.98731",
                     *       "budget": {
                     *         "amount": "5",
                     *         "period": "day",
                     *         "spent": "0.01269",
                     *         "left": "4.98731",
                     *         "endsAt": "2026-11-23T00:00:00.000Z"
                     *       },
                     *       "entries": [
                     *         {
                     *           "id": "entry_1",
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "kind": "completion",
                     *           "model": "writer",
                     *           "inputTokens": 120,
                     *           "outputTokens": 40,
                     *           "amount": "-0.0002"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Credits"];
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example limit: must be a whole number from 1 to 100 */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    listCreditEntries: {
        parameters: {
            query?: {
                /**
                 * @description Entries on the page.
                 * @example 100
                 */
                limit?: number;
                /** @description The page before's `cursor`, with the same other parameters. */
                cursor?: string;
                /**
                 * @description From when: a day, which begins at midnight UTC, or a time in ISO 8601.
                 * @example 2026-11-01
                 */
                from?: string;
                /**
                 * @description Until when, written in the same way; exclusive.
                 * @example 2026-12-01
                 */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; `cursor` is there while more follow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "id": "entry_1",
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "kind": "completion",
                     *           "model": "writer",
                     *           "inputTokens": 120,
                     *           "outputTokens": 40,
                     *           "amount": "-0.0002"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CreditEntryList"];
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example to: must be after from */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    reportUsage: {
        parameters: {
            query?: {
                /**
                 * @description From when: a day, which begins at midnight UTC, or a time in ISO 8601.
                 * @example 2026-11-01
                 */
                from?: string;
                /**
                 * @description Until when, written in the same way; exclusive.
                 * @example 2026-12-01
                 */
                to?: string;
                /**
                 * @description Some of day, hour, key, model, kind, skill, with commas between them; not both day and hour. `day` if not given.
                 * @example day,model
                 */
                groupBy?: string;
                /**
                 * @description `organisation` needs a key that is marked as operator.
                 * @example account
                 */
                scope?: "account" | "organisation";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A row for each group that was used, sorted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-11-01T00:00:00.000Z",
                     *       "to": "2026-12-01T00:00:00.000Z",
                     *       "rows": [
                     *         {
                     *           "day": "2026-11-21",
                     *           "amount": "4.98731",
                     *           "requests": 12,
                     *           "inputTokens": 52000,
                     *           "cachedInputTokens": 0,
                     *           "outputTokens": 8100,
                     *           "seconds": 0,
                     *           "energy": 105000,
                     *           "emissions": 7379
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UsageReport"];
                    /**
                     * @example day,amount
                     *     2026-11-21,4.98731
                     */
                    "text/csv": string;
                };
            };
            /** @description A wrong parameter. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example to: must be after from */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The key is not marked as operator of an organisation. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Only a key that is marked as operator may read the usage of its organisation"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StoreUnavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They can. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The store does not answer, or takes no writes. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["Unavailable"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Errand",
                     *         "version": "0.1.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": {
                        /** @description The version of OpenAPI. */
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
}
