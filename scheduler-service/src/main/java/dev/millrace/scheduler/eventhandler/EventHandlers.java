package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.StandingTokens;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import java.util.Optional;
import java.util.UUID;

/** Creates, changes, lists and deletes event handlers, and shows what they did. Blocking and thread-safe. */
final class EventHandlers {
    /** Maximum number of handlers of a workspace. */
    static final int HANDLERS_MAX = 1_000;
    /** Maximum number of handlers of an event. Each gets a row for each message, in the lane of its run. */
    static final int OF_EVENT_MAX = 20;

    private static final UUID LAST = new UUID(-1, -1);

    private final EventHandlerStore store;
    private final ExecutionStore executions;
    private final StandingTokens tokens;
    private final IdSource ids;
    private final TopicHandlers topics;

    EventHandlers(Database database, StandingTokens tokens, IdSource ids, TopicHandlers topics) {
        this.store = new EventHandlerStore(database);
        this.executions = new ExecutionStore(database);
        this.tokens = tokens;
        this.ids = ids;
        this.topics = topics;
    }

    /** Creates or changes a handler, which acts for the caller from then on. */
    EventHandler put(Workspace workspace, String path, HandlerDefinition definition, Access by) {
        topics.require(workspace, path, definition, by);
        EventHandlerStore.Put put = store.put(
                ids.nextUuid(),
                workspace,
                path,
                definition,
                by.name(),
                tokens.of(by, workspace, "triggers"),
                HANDLERS_MAX,
                OF_EVENT_MAX);
        topics.wake();
        return put.handler()
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.TOO_MANY,
                        switch (put.full().orElseThrow()) {
                            case WORKSPACE ->
                                "Workspace " + workspace + " has " + HANDLERS_MAX
                                        + " event handlers, as many as it may have: delete some first.";
                            case EVENT ->
                                "The event " + definition.event() + " has " + OF_EVENT_MAX
                                        + " handlers, as many as it may have: delete some first, or give one more actions.";
                        }));
    }

    EventHandler get(Workspace workspace, String path) {
        return store.find(workspace, path).orElseThrow(() -> notFound(workspace, path));
    }

    /** The handlers that the caller may see, by their paths. */
    PageRequest.Page<EventHandler> list(Workspace workspace, Optional<String> event, Access by, PageRequest page) {
        return page.of(
                limit -> store.list(workspace, by.visibleFolders(workspace), event, page.after(), limit),
                EventHandler::path);
    }

    /** Deletes a handler with its history. What it has started goes on. */
    EventHandler delete(Workspace workspace, String path) {
        EventHandler deleted = store.delete(workspace, path).orElseThrow(() -> notFound(workspace, path));
        topics.wake();
        return deleted;
    }

    /** What a handler has done, newest first. */
    PageRequest.Page<EventExecution> executions(Workspace workspace, String path, PageRequest page) {
        UUID handler = get(workspace, path).id();
        UUID before = page.after().isEmpty() ? LAST : uuid(page.after());
        return page.of(
                limit -> executions.list(handler, before, limit),
                execution -> execution.id().toString());
    }

    private static MillraceException notFound(Workspace workspace, String path) {
        return new MillraceException(
                ErrorCode.TRIGGER_NOT_FOUND, "There is no event handler " + path + " in workspace " + workspace + ".");
    }

    private static UUID uuid(String token) {
        try {
            return UUID.fromString(token);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
