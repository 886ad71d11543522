package dev.millrace.scheduler.inbound;

import dev.millrace.scheduler.access.WorkspaceGate;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.eventtrigger.DeclaredEventProtos;
import dev.millrace.scheduler.eventtrigger.EventTriggers;
import dev.millrace.scheduler.identity.StandingTokens;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.submission.Submissions;
import dev.millrace.scheduler.trigger.DeclaredKind;
import dev.millrace.scheduler.trigger.TriggerKind;
import dev.millrace.scheduler.trigger.TriggerKindRows;
import dev.millrace.scheduler.trigger.TriggerSecrets;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.trigger.Triggers;
import dev.millrace.scheduler.webhook.DeclaredWebhookProtos;
import dev.millrace.scheduler.webhook.RunResults;
import dev.millrace.scheduler.webhook.Webhooks;
import java.util.List;

/** The parts that listen to events from outside. */
public final class InboundParts {
    private final Database database;
    private final Submissions submissions;
    private final StandingTokens tokens;
    private final IdSource ids;

    public InboundParts(Database database, Submissions submissions, StandingTokens tokens, IdSource ids) {
        this.database = database;
        this.submissions = submissions;
        this.tokens = tokens;
        this.ids = ids;
    }

    /** The service for triggers of all kinds, which must see the addresses of callers. */
    public TriggerGrpcService service(
            TriggerStarts starts,
            TriggerSecrets secrets,
            RunResults results,
            EventTriggers events,
            WorkspaceGate workspaces) {
        Triggers hooks = triggers(TriggerKind.WEBHOOK);
        Webhooks webhooks = new Webhooks(database, hooks, starts, secrets, results);
        InboundTriggers all = new InboundTriggers()
                .with(
                        TriggerKind.WEBHOOK,
                        hooks,
                        (settings, key, by) -> Webhooks.require(secrets, settings, key, by),
                        () -> {})
                .with(
                        TriggerKind.EVENT,
                        events.triggers(),
                        (settings, key, _) -> events.record(settings, key.workspace()),
                        events::wake);
        return new TriggerGrpcService(all, webhooks, workspaces);
    }

    /** The kinds that files of flows can declare. */
    public List<DeclaredKind> declared(TriggerSecrets secrets, EventTriggers events) {
        return List.of(
                new DeclaredKind(
                        "webhooks",
                        triggers(TriggerKind.WEBHOOK),
                        DeclaredWebhookProtos::read,
                        (settings, key, by) -> Webhooks.require(secrets, settings, key, by),
                        () -> {}),
                new DeclaredKind(
                        "on",
                        events.triggers(),
                        DeclaredEventProtos::read,
                        (settings, key, _) -> events.record(settings, key.workspace()),
                        events::wake));
    }

    private Triggers triggers(TriggerKind kind) {
        return new Triggers(database, kind, TriggerKindRows.NONE, submissions, tokens, ids);
    }
}
