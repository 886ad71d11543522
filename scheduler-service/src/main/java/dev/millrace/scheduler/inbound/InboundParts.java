package dev.millrace.scheduler.inbound;

import static java.util.Objects.requireNonNull;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.access.WorkspaceGate;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.eventtrigger.DeclaredEventProtos;
import dev.millrace.scheduler.eventtrigger.EventTriggers;
import dev.millrace.scheduler.identity.StandingTokens;
import dev.millrace.scheduler.kafka.DeclaredKafkaProtos;
import dev.millrace.scheduler.kafka.KafkaTriggers;
import dev.millrace.scheduler.kafka.TopicConsumers;
import dev.millrace.scheduler.mqtt.DeclaredMqttProtos;
import dev.millrace.scheduler.mqtt.MqttTriggers;
import dev.millrace.scheduler.postgres.DeclaredPostgresProtos;
import dev.millrace.scheduler.postgres.PostgresTriggers;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.runtime.Closing;
import dev.millrace.scheduler.submission.Submissions;
import dev.millrace.scheduler.trigger.DeclaredKind;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.scheduler.trigger.TriggerKind;
import dev.millrace.scheduler.trigger.TriggerKindRows;
import dev.millrace.scheduler.trigger.TriggerProblems;
import dev.millrace.scheduler.trigger.TriggerSecrets;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.trigger.Triggers;
import dev.millrace.scheduler.webhook.DeclaredWebhookProtos;
import dev.millrace.scheduler.webhook.RunResults;
import dev.millrace.scheduler.webhook.Webhooks;
import dev.millrace.tls.AddressRule;
import java.util.List;

/** The parts that listen to events from outside, and the service for their triggers. */
public final class InboundParts {
    private final Database database;
    private final Submissions submissions;
    private final StandingTokens tokens;
    private final IdSource ids;
    private final Means means;
    private final EventTriggers events;
    private final Triggers ofKafka;
    private final KafkaTriggers kafka;
    private final Triggers ofPostgres;
    private final PostgresTriggers postgres;
    private final Triggers ofMqtt;
    private final MqttTriggers mqtt;

    /**
     * Starts to listen.
     *
     * @param parts closes what listens
     */
    public InboundParts(
            Database database,
            Submissions submissions,
            StandingTokens tokens,
            IdSource ids,
            Means means,
            EventTriggers events,
            Closing parts) {
        this.database = database;
        this.submissions = submissions;
        this.tokens = tokens;
        this.ids = ids;
        this.means = means;
        this.events = events;
        this.ofKafka = triggers(TriggerKind.KAFKA);
        this.kafka = parts.add(new KafkaTriggers(
                        database, ofKafka, means.starts(), means.consumers(), means.payloadBytesMax(), means.metrics())
                .start());
        this.ofPostgres = triggers(TriggerKind.POSTGRES);
        this.postgres = parts.add(new PostgresTriggers(
                        database,
                        ofPostgres,
                        means.starts(),
                        means.connections(),
                        means.hosts(),
                        means.payloadBytesMax(),
                        ids.nextUuid(),
                        means.metrics())
                .start());
        this.ofMqtt = triggers(TriggerKind.MQTT);
        this.mqtt = parts.add(new MqttTriggers(
                        database,
                        ofMqtt,
                        means.starts(),
                        means.connections(),
                        means.hosts(),
                        means.payloadBytesMax(),
                        ids.nextUuid(),
                        means.metrics())
                .start());
    }

    /** What triggers of all kinds use. */
    public record Means(
            TriggerStarts starts,
            TriggerSecrets secrets,
            TriggerConnections connections,
            AddressRule hosts,
            TopicConsumers consumers,
            int payloadBytesMax,
            Metrics metrics) {
        public Means {
            requireNonNull(starts, "starts");
            requireNonNull(secrets, "secrets");
            requireNonNull(connections, "connections");
            requireNonNull(hosts, "hosts");
            requireNonNull(consumers, "consumers");
            requireNonNull(metrics, "metrics");
        }
    }

    /** The service for triggers of all kinds, which must see the addresses of callers. */
    public TriggerGrpcService service(RunResults results, WorkspaceGate workspaces) {
        Triggers hooks = triggers(TriggerKind.WEBHOOK);
        Webhooks webhooks = new Webhooks(
                database, hooks, means.starts(), means.secrets(), results, means.payloadBytesMax(), means.metrics());
        InboundTriggers all = new InboundTriggers()
                .with(
                        TriggerKind.WEBHOOK,
                        hooks,
                        (settings, key, by) -> Webhooks.require(means.secrets(), settings, key, by),
                        () -> {})
                .with(
                        TriggerKind.EVENT,
                        events.triggers(),
                        (settings, key, _) -> events.record(settings, key.workspace()),
                        events::wake)
                .with(TriggerKind.KAFKA, ofKafka, kafka::require, kafka::wake)
                .with(TriggerKind.POSTGRES, ofPostgres, postgres::require, postgres::wake)
                .with(TriggerKind.MQTT, ofMqtt, mqtt::require, mqtt::wake);
        return new TriggerGrpcService(all, webhooks, workspaces, new TriggerProblems(database));
    }

    /** The kinds that files of flows can declare. */
    public List<DeclaredKind> declared() {
        return List.of(
                new DeclaredKind(
                        "webhooks",
                        triggers(TriggerKind.WEBHOOK),
                        DeclaredWebhookProtos::read,
                        (settings, key, by) -> Webhooks.require(means.secrets(), settings, key, by),
                        () -> {}),
                new DeclaredKind(
                        "on",
                        events.triggers(),
                        DeclaredEventProtos::read,
                        (settings, key, _) -> events.record(settings, key.workspace()),
                        events::wake),
                new DeclaredKind(
                        "postgres", ofPostgres, DeclaredPostgresProtos::read, postgres::require, postgres::wake),
                new DeclaredKind("kafka", ofKafka, DeclaredKafkaProtos::read, kafka::require, kafka::wake),
                new DeclaredKind("mqtt", ofMqtt, DeclaredMqttProtos::read, mqtt::require, mqtt::wake));
    }

    private Triggers triggers(TriggerKind kind) {
        return new Triggers(database, kind, TriggerKindRows.NONE, submissions, tokens, ids);
    }
}
